use mcp_runtime::{Result, prelude::*};

#[elicits]
enum Forms {
    Confirm { sure: bool },
}

/// Plays a game.
#[mcp_tool]
async fn play(ctx: &Ctx<Forms>) -> Result<String> {
    let sure = ctx
        .branch(async |b| {
            let reply = b.sample("Is it wise?").await?;
            b.elicit::<Confirm>(reply.text).strict().await
        })
        .await?;
    Ok(sure.sure.to_string())
}

fn main() {
    let _ = tools![play];
}
