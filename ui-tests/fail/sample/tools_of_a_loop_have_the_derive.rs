use mcp_runtime::{Result, prelude::*};

#[derive(serde::Deserialize, schemars::JsonSchema)]
enum Strategy {
    /// Attack.
    Attack,
}

/// Plays a game.
#[mcp_tool]
async fn play(ctx: &Ctx) -> Result<String> {
    let answer = ctx.sample_loop::<Strategy>("Play.").run(async |Strategy::Attack| "attacked").await?;
    Ok(answer.reply.text)
}

fn main() {
    let _ = tools![play];
}
