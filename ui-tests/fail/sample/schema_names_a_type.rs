use mcp_runtime::{Result, prelude::*};

/// Plays a game.
#[mcp_tool]
async fn play(ctx: &Ctx) -> Result<String> {
    Ok(ctx.sample_schema("Your move.").await?.reply.text)
}

fn main() {
    let _ = tools![play];
}
