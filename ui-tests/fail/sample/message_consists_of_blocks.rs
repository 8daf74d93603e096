use mcp_runtime::{Result, prelude::*, sample::Messages};

/// Plays.
#[mcp_tool]
async fn play(ctx: &Ctx) -> Result<String> {
    Ok(ctx.sample(Messages::new().user(7)).await?.text)
}

fn main() {
    let _ = tools![play];
}
