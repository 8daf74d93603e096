//! The user's turn: a form with the board above it, and the free cells to choose from.

use mcp_runtime::{Elicited, prelude::*};

use crate::{
    board::Cell,
    end::{End, Outcome},
    game::Game,
};

/// The form for the user.
#[elicits]
#[derive(Debug)]
pub enum Moves {
    /// Where the mark goes.
    TakeCell {
        /// A free cell.
        #[elicit(title = "Cell")]
        cell: String,
    },
}

pub(crate) async fn turn(ctx: &Ctx<Moves>, game: &Game) -> Result<Cell, End> {
    let mark = game.next();
    let last = game.turns().last().map_or_else(String::new, |turn| format!(" The model took cell {}.", turn.cell));
    let free = game.board().free();
    let choices = free.iter().map(|cell| (cell.to_string(), format!("{cell}, {}", cell.place())));
    let ask = ctx.elicit::<TakeCell>(format!("You are {mark}.{last} Your turn:\n\n{}", game.board()));
    match ask.choices(TakeCell::CELL, choices).await? {
        Elicited::Accept(TakeCell { cell: taken }) => {
            let found = free.into_iter().find(|cell| cell.to_string() == taken);
            found.ok_or_else(|| End::adjourned(format!("`{taken}` was not among the choices")))
        }
        Elicited::Decline => Err(Outcome::Resigned.into()),
        Elicited::Cancel => Err(Outcome::Closed.into()),
    }
}
