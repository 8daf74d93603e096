//! Tools that ask a model, for the server behind `tests/cli`.

use mcp_runtime::{
    Content, Result,
    prelude::*,
    sample::{Messages, Sampled, SamplingContent, SamplingFuture, SamplingProvider, SamplingRequest},
};
use schemars::JsonSchema;
use serde::Deserialize;

/// Describe a picture.
#[mcp_tool(read_only, requires(sampling))]
pub(crate) async fn picture(ctx: &Ctx) -> Result<String> {
    let conversation = Messages::new()
        .user("Do you know pictures?")
        .assistant("I do.")
        .user([Content::text("What is\nthis?"), Content::image([0; 12_000], "image/png")]);
    Ok(ctx.sample(conversation).system("You are brief.").await?.text)
}

/// A cell of a board.
#[derive(Deserialize, JsonSchema)]
struct Move {
    #[schemars(range(min = 1, max = 9))]
    cell: u8,
}

/// Choose a cell.
#[mcp_tool(read_only, requires(sampling))]
pub(crate) async fn choose(ctx: &Ctx) -> Result<String> {
    let chosen = ctx.sample_schema::<Move>("Your move.").await?;
    Ok(format!("{} in {} tries", chosen.parsed.cell, chosen.attempts))
}

/// Tell the news, shorter where there is a model.
#[mcp_tool(read_only, optional(sampling))]
pub(crate) async fn news(ctx: &Ctx) -> String {
    let all = "nothing is new";
    match ctx.sample(format!("Say it shorter: {all}")).await {
        Ok(reply) => reply.text,
        Err(error) => format!("{all} ({error})"),
    }
}

/// Call tools by itself.
#[mcp_tool(read_only, requires(sampling_tools))]
pub(crate) async fn agent() -> &'static str {
    "done"
}

/// A model that repeats what it reads.
pub(crate) struct Parrot;

impl SamplingProvider for Parrot {
    fn sample<'a>(&'a self, request: &'a SamplingRequest) -> SamplingFuture<'a> {
        let read = request.messages.last().map(|message| message.text()).unwrap_or_default();
        Box::pin(async { Ok(Sampled::new(vec![SamplingContent::Text(read)], "parrot")) })
    }
}
