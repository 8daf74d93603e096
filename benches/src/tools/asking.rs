//! The tools that ask the user before they return the text, written with `mcp-runtime`.

use mcp_runtime::{Result, prelude::*};
use serde::{Deserialize, Serialize};

#[elicits]
pub(crate) enum Question {
    Sure { sure: bool },
}

/// Give the text back if the user is sure.
#[mcp_tool]
pub(crate) async fn confirm(
    ctx: &Ctx<Question>,
    /// The text to give back.
    text: String,
) -> Result<String> {
    let Sure { sure } = ctx.elicit::<Sure>(format!("Give {text} back?")).strict().await?;
    if sure { Ok(text) } else { Err("the user is not sure".into()) }
}

/// What is handed over, through the user's answer.
#[derive(Serialize, Deserialize)]
pub(crate) struct Text {
    pub(crate) text: String,
}

pub(crate) struct HandOver;

/// Give the text back if the user is sure.
#[handoff]
impl HandOver {
    async fn before(
        &self,
        /// The text to give back.
        text: String,
    ) -> Text {
        Text { text }
    }

    async fn client(ctx: &Ctx<Question>, Text { text }: &Text) -> Result<bool> {
        Ok(ctx.elicit::<Sure>(format!("Give {text} back?")).strict().await?.sure)
    }

    async fn after(&self, Text { text }: Text, sure: bool) -> Result<String> {
        if sure { Ok(text) } else { Err("the user is not sure".into()) }
    }
}
