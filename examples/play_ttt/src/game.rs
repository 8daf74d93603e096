//! A game: its players, its moves, and its end.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    board::{Board, Cell, Mark, Taken, listed},
    end::{End, Outcome},
};

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Player {
    Model,
    User,
}

/// A move of a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Turn {
    pub(crate) mark: Mark,
    pub(crate) cell: Cell,
    /// The plan of the model, if it was asked for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) plan: Option<String>,
}

/// A game with the moves so far.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    model: Mark,
    board: Board,
    turns: Vec<Turn>,
}

impl Game {
    /// Begins a game in which the model has this mark.
    pub(crate) fn new(model: Mark) -> Self {
        Self { model, board: Board::default(), turns: Vec::new() }
    }

    /// Returns the mark that moves next.
    pub(crate) fn next(&self) -> Mark {
        if self.turns.len().is_multiple_of(2) { Mark::X } else { Mark::O }
    }

    /// Returns the player with this mark.
    pub(crate) fn player(&self, mark: Mark) -> Player {
        if mark == self.model { Player::Model } else { Player::User }
    }

    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    pub(crate) fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Puts the next mark into this cell.
    ///
    /// # Errors
    /// Returns an error if the cell is taken.
    pub(crate) fn play(&mut self, cell: Cell, plan: Option<String>) -> Result<(), Taken> {
        let mark = self.next();
        self.board.put(mark, cell)?;
        self.turns.push(Turn { mark, cell, plan });
        Ok(())
    }

    /// Returns the end of the game, if the board shows that it has ended.
    pub(crate) fn end(&self) -> Option<End> {
        let outcome = match (self.board.winner(), self.turns.len()) {
            (Some(mark), _) => match self.player(mark) {
                Player::Model => Outcome::ModelWon,
                Player::User => Outcome::UserWon,
            },
            (None, 9) => Outcome::Draw,
            (None, _) => return None,
        };
        Some(outcome.into())
    }

    /// Returns the last free cell, if only one is left. No player has to be asked for that move.
    pub(crate) fn only_cell(&self) -> Option<Cell> {
        match self.board.free()[..] {
            [cell] => Some(cell),
            _ => None,
        }
    }

    /// Returns how many more times the players together are asked for a move, if the game continues until the board is
    /// full.
    pub(crate) fn turns_left(&self) -> u32 {
        (self.board.free().len() as u32).saturating_sub(1)
    }

    /// Describes the position in words for the next player, because models read words better than drawings.
    pub(crate) fn in_words(&self) -> String {
        let (mark, other) = (self.next(), self.next().other());
        let having = |content| match &self.board.having(content)[..] {
            [] => "none".to_owned(),
            cells => listed(cells),
        };
        format!(
            "Tic-tac-toe. The rows are 1 2 3, 4 5 6 and 7 8 9.\nYou are {mark} and have {}. {other} has {}.\nFree cells: {}",
            having(Some(mark)),
            having(Some(other)),
            having(None),
        )
    }
}
