//! The tools of `mcp-runtime` that ask before they give the text back. Built twice: as it is, and with the states sealed
//! (`benches/sealed`).

use mcp_runtime::{Result, Server, prelude::*, tools};
use serde::{Deserialize, Serialize};

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    Server::new("bench", "0.1.0").tools(tools![confirm]).tool(HandOver).serve_stdio().await
}

#[elicits]
enum Question {
    Sure { sure: bool },
}

/// Give the text back if the user is sure.
#[mcp_tool]
async fn confirm(
    ctx: &Ctx<Question>,
    /// The text to give back.
    text: String,
) -> Result<String> {
    let Sure { sure } = ctx.elicit::<Sure>(format!("Give {text} back?")).strict().await?;
    if sure { Ok(text) } else { Err("the user is not sure".into()) }
}

/// What is handed over, through the user's answer.
#[derive(Serialize, Deserialize)]
struct Text {
    text: String,
}

struct HandOver;

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
