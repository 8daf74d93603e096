use mcp_runtime::{Result, prelude::*};

/// Plays.
#[mcp_tool]
async fn play(ctx: &Ctx) -> Result<String> {
    Ok(ctx.sample(7).await?.text)
}

fn main() {
    let _ = tools![play];
}
