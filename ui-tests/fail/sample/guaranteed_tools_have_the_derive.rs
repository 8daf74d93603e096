use mcp_runtime::{Result, prelude::*};

#[derive(serde::Deserialize, schemars::JsonSchema)]
enum Strategy {
    /// Attack.
    Attack,
}

/// Plays a game.
#[mcp_tool]
async fn play(ctx: &Ctx) -> Result<String> {
    let Strategy::Attack = ctx.sample_tools::<Strategy>("Your move.").await?.into_first();
    Ok("attacked".to_owned())
}

fn main() {
    let _ = tools![play];
}
