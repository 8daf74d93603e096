use mcp_runtime::{Result, prelude::*};

/// Plays a game.
#[mcp_tool]
async fn play(ctx: &Ctx) -> Result<String> {
    let answer = ctx.sample_loop("Play.").run(async |_| "attacked").await?;
    Ok(answer.reply.text)
}

fn main() {
    let _ = tools![play];
}
