use mcp_runtime::{Result, prelude::*, sample::SamplingTool};

#[derive(SampleTools)]
enum Strategy {
    /// Attack.
    Attack,
}

/// Plays a game.
#[mcp_tool]
async fn play(ctx: &Ctx) -> Result<String> {
    let more = [SamplingTool::new("wait", "Wait.")];
    let reply = ctx.sample("Your move.").tools::<Strategy>().tools_dyn(more).await?;
    Ok(reply.reply.text)
}

fn main() {
    let _ = tools![play];
}
