use mcp_runtime::{Result, prelude::*};

#[derive(serde::Deserialize)]
struct Move {
    cell: u8,
}

/// Plays a game.
#[mcp_tool]
async fn play(ctx: &Ctx) -> Result<String> {
    let reply = ctx.sample("Your move.").schema::<Move>().await?;
    Ok(format!("{:?}", reply.parsed.map(|chosen| chosen.cell)))
}

fn main() {
    let _ = tools![play];
}
