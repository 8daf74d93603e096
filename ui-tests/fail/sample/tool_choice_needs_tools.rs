use mcp_runtime::{Result, prelude::*, sample::ToolChoice};

/// Plays a game.
#[mcp_tool]
async fn play(ctx: &Ctx) -> Result<String> {
    let reply = ctx.sample("Your move.").tool_choice(ToolChoice::Required).await?;
    Ok(reply.text)
}

fn main() {
    let _ = tools![play];
}
