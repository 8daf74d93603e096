//! An application that calls a tool of its own process. Its arguments are `TOOL COUNT`.

#[path = "../../../src/tools/asking.rs"]
#[allow(dead_code, reason = "only the handoff is called")]
mod asking;

use std::error::Error;

use mcp_runtime::{
    Elicited, Server,
    elicit::ElicitRequest,
    plugin::{Plugin, PluginHost},
    prelude::*,
};
use serde_json::json;

use self::asking::{HandOver, QuestionHandler, Sure};

/// A text of 100 bytes.
const TEXT: &str =
    "The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog, and sleeps";

/// Give the text back.
#[mcp_tool]
async fn echo(
    /// The text to give back.
    text: String,
) -> String {
    text
}

/// A user who is always sure.
struct SureUser;

impl QuestionHandler for SureUser {
    async fn sure(&self, _: ElicitRequest<'_, Sure>) -> Elicited<Sure> {
        Elicited::Accept(Sure { sure: true })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let tool = arguments.next().ok_or("no tool")?;
    let count: u32 = arguments.next().ok_or("no count")?.parse()?;
    let server = Server::new("bench", "0.1.0").tools(tools![echo]);
    let host = PluginHost::builder(server).plugin(Plugin::new(HandOver).on_elicit(SureUser)).start().await?;
    for _ in 0..count {
        let call = host.call(&tool, json!({ "text": TEXT })).await?;
        let outcome = call.outcome().await;
        if outcome.text() != TEXT {
            return Err(format!("a wrong outcome: {outcome:?}").into());
        }
    }
    Ok(())
}
