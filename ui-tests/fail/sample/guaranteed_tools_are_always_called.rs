use mcp_runtime::{Result, prelude::*, sample::ToolChoice};

#[derive(SampleTools)]
enum Strategy {
    /// Attack.
    Attack,
}

/// Plays a game.
#[mcp_tool]
async fn play(ctx: &Ctx) -> Result<String> {
    let reply = ctx.sample_tools::<Strategy>("Your move.").tool_choice(ToolChoice::Required).await?;
    Ok(reply.reply.text)
}

fn main() {
    let _ = tools![play];
}
