//! The tool: a game between the model and the user.

use mcp_runtime::prelude::*;

use crate::{
    board::Mark,
    end::{End, Report},
    game::{Game, Player},
    model,
    user::{self, Moves},
};

/// The tool. It draws once who begins, lets both players move in turn, and reports the result.
pub struct PlayTtt;

/// Play a game of tic-tac-toe with the user, move by move to its end. The user sees the board: do not draw it.
#[handoff(title = "Tic-tac-toe", requires(sampling), destructive = false, open_world = false)]
impl PlayTtt {
    /// Draws who begins. Returns the mark of the model.
    async fn before(
        &self,
        ctx: &PhaseCtx,
        /// The mark of the user. X begins. Leave it out to draw the mark at random.
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

    /// Returns the report of the game.
    async fn after(&self, _model: Mark, (game, end): (Game, End)) -> Report {
        Report::new(&game, end)
    }
}

/// Plays the next move, or returns the end of the game.
async fn next_move(ctx: &Ctx<Moves>, game: &mut Game) -> Result<(), End> {
    // If only one cell is free, the player has nothing to choose and is not asked.
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
