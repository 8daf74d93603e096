use mcp_runtime::{Result, prelude::*};

/// Plays.
#[mcp_tool]
async fn play(ctx: &Ctx) -> Result<String> {
    Ok(ctx.sample_schema::<&str>("Your move.").await?.parsed.to_owned())
}

fn main() {
    let _ = tools![play];
}
