use mcp_runtime::{Result, prelude::*, sample::Messages};

/// Plays a game.
#[mcp_tool]
async fn play(ctx: &Ctx) -> Result<String> {
    Ok(ctx.sample(Messages::new().user(7)).await?.text)
}

fn main() {
    let _ = tools![play];
}
