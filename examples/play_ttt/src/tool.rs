//! The tool: a game between the model and the user.

use mcp_runtime::prelude::*;

use crate::{
    board::Mark,
    end::{End, Report},
    game::{Game, Player},
    model,
    user::{self, Moves},
};

/// The tool: who begins is drawn once, then both move in turn, and then there is a result.
pub(crate) struct PlayTtt;

/// Play a game of tic-tac-toe with the user, move by move to its end. The user sees the board: do not draw it.
#[handoff(title = "Tic-tac-toe", requires(sampling), destructive = false, open_world = false)]
impl PlayTtt {
    /// Draws who begins. The mark it gives is the model's.
    async fn before(
        &self,
        ctx: &PhaseCtx,
        /// The mark the user wants. X begins. Leave it out, and it is drawn.
        user_plays: Option<Mark>,
    ) -> Mark {
        let drawn = || if ctx.random().is_multiple_of(2) { Mark::X } else { Mark::O };
        user_plays.map_or_else(drawn, Mark::other)
    }

    async fn client(ctx: &Ctx<Moves>, model: &Mark) -> (Game, End) {
        let mut game = Game::new(*model);
        let end = loop {
            if let Some(end) = game.end() {
                break end;
            }
            if let Err(end) = next_move(ctx, &mut game).await {
                break end;
            }
        };
        (game, end)
    }

    /// Tells what came of it.
    async fn after(&self, _model: Mark, (game, end): (Game, End)) -> Report {
        Report::new(&game, end)
    }
}

/// One move, or why there is none any more.
async fn next_move(ctx: &Ctx<Moves>, game: &mut Game) -> Result<(), End> {
    // Where there is no choice, nobody is asked.
    if let Some(cell) = game.only_cell() {
        return Ok(game.play(cell, None)?);
    }
    if ctx.rounds_left() == 0 {
        return Err(End::out_of_rounds());
    }
    let (cell, plan) = match game.player(game.next()) {
        Player::Model => model::turn(ctx, game).await?,
        Player::User => (user::turn(ctx, game).await?, None),
    };
    Ok(game.play(cell, plan)?)
}
