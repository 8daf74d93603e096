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
    async fn before(&self) -> usize {
        1
    }

    async fn client(_ctx: &Ctx, moves: &usize) -> bool {
        *moves > 0
    }

    async fn after(&self, ctx: &PhaseCtx, _moves: usize, _certain: bool) -> mcp_runtime::Result<String> {
        let reply = ctx.sample_loop("Play.").run(async |Strategy::Attack| "attacked").await?;
        let chosen = ctx.branch(async |b| b.sample_schema::<u8>("Your move.").await).await?;
        Ok(format!("{} {}", reply.reply.text, chosen.parsed))
    }
}

fn main() {
    drop(Server::new("game", "1").tool(Play));
}
