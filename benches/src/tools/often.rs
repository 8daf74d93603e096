//! A tool that asks in as many rounds as a call may have, written with `mcp-runtime`.

use mcp_runtime::{Result, prelude::*};

use super::asking::{Question, Sure, Text};

pub(crate) struct ConfirmOften;

/// Give the text back if the user is sure, 31 times.
#[handoff]
impl ConfirmOften {
    async fn before(
        &self,
        /// The text to give back.
        text: String,
    ) -> Text {
        Text { text }
    }

    async fn client(ctx: &Ctx<Question>, Text { text }: &Text) -> Result<bool> {
        for number in 1..=31 {
            if !ctx.elicit::<Sure>(format!("Give {text} back? ({number} of 31)")).strict().await?.sure {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn after(&self, Text { text }: Text, sure: bool) -> Result<String> {
        if sure { Ok(text) } else { Err("the user is not sure".into()) }
    }
}
