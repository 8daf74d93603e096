use mcp_runtime::prelude::*;

struct Play;

#[derive(SampleTools)]
enum Strategy {
    /// Attack.
    Attack,
}

/// Plays a game.
#[handoff]
impl Play {
    async fn before(&self, ctx: &PhaseCtx) -> mcp_runtime::Result<usize> {
        let reply = ctx.sample("Your move.").await?;
        let first = ctx.sample_tools::<Strategy>("Your move.").await?.into_first();
        Ok(reply.text.len() + matches!(first, Strategy::Attack) as usize)
    }

    async fn client(_ctx: &Ctx, moves: &usize) -> bool {
        *moves > 0
    }

    async fn after(&self, moves: usize, _certain: bool) -> String {
        moves.to_string()
    }
}

fn main() {
    drop(Server::new("game", "1").tool(Play));
}
