use mcp_runtime::{Result, prelude::*};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Move {
    cell: u8,
}

#[derive(SampleTools)]
enum Strategy {
    /// Attack.
    Attack,
}

/// Plays a game.
#[mcp_tool]
async fn play(ctx: &Ctx) -> Result<String> {
    let reply = ctx.sample_schema::<Move>("Your move.").tools::<Strategy>().await?;
    Ok(reply.reply.text)
}

fn main() {
    let _ = tools![play];
}
