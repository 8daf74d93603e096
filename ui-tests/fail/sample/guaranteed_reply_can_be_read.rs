use mcp_runtime::{Result, prelude::*};

#[derive(schemars::JsonSchema)]
struct Move {
    cell: u8,
}

/// Plays a game.
#[mcp_tool]
async fn play(ctx: &Ctx) -> Result<Text<u8>> {
    Ok(Text(ctx.sample_schema::<Move>("Your move.").await?.parsed.cell))
}

fn main() {
    let _ = tools![play];
}
