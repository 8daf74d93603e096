use mcp_runtime::{Result, prelude::*};

/// Plays a game.
#[mcp_tool]
async fn play(ctx: &Ctx) -> Result<String> {
    let answer = ctx.sample("Play.").max_turns(3).await?;
    Ok(answer.text)
}

fn main() {
    let _ = tools![play];
}
