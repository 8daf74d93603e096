use mcp_runtime::{Result, prelude::*};

#[derive(SampleTools)]
enum Strategy {
    /// Attack.
    Attack,
}

struct Board;

/// Plays a game.
#[mcp_tool]
async fn play(ctx: &Ctx) -> Result<String> {
    let answer = ctx.sample_loop::<Strategy>("Play.").run(async |Strategy::Attack| Board).await?;
    Ok(answer.reply.text)
}

fn main() {
    let _ = tools![play];
}
