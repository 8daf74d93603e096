use mcp_runtime::{Result, prelude::*, sample::ToolChoice};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Move {
    cell: u8,
}

/// Plays a game.
#[mcp_tool]
async fn play(ctx: &Ctx) -> Result<String> {
    let reply = ctx.sample("Your move.").schema::<Move>().tool_choice(ToolChoice::Required).await?;
    Ok(reply.reply.text)
}

fn main() {
    let _ = tools![play];
}
