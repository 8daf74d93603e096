//! The end of a game, and its report.

use std::fmt::Display;

use mcp_runtime::{AskError, CallToolResult, ToolError, ToolOutput, prelude::*, sample::SampleError};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use crate::{
    board::{Mark, Taken},
    game::{Game, Player, Turn},
};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// The model has three in a line.
    ModelWon,
    /// The user has three in a line.
    UserWon,
    /// The board is full.
    Draw,
    /// The user gave up.
    Resigned,
    /// The user closed the board without a move.
    Closed,
    /// The model gave no legal move, although it was asked again.
    Forfeited,
    /// The game was not finished, because a player could no longer be asked.
    Adjourned,
}

/// The end of a game, with a reason if the board does not show it.
#[derive(Clone, Debug)]
pub(crate) struct End {
    pub(crate) outcome: Outcome,
    why: Option<String>,
}

/// A game that is over.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Report {
    pub(crate) outcome: Outcome,
    /// Why the game was not finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
    /// The player with X, who began.
    pub(crate) x: Player,
    /// The rows from top to bottom. Free cells are null.
    pub(crate) board: [[Option<Mark>; 3]; 3],
    /// The moves in order. Cells are numbered from 1 at the top left to 9 at the bottom right.
    pub(crate) moves: Vec<Turn>,
    /// The report as text, for the user.
    #[serde(skip)]
    words: String,
}

impl Report {
    pub(crate) fn new(game: &Game, End { outcome, why }: End) -> Self {
        let x = game.player(Mark::X);
        let user = if x == Player::User { Mark::X } else { Mark::O };
        let reason = why.as_ref().map_or_else(String::new, |why| format!("\nThe reason: {why}"));
        let words = format!("{}{reason}\nThe user was {user}.\n\n{}", outcome.in_words(), game.board());
        Self { outcome, why, x, board: game.board().rows(), moves: game.turns().to_vec(), words }
    }
}

/// Returns the structured content of [`Json`], and a text for the user.
impl ToolOutput for Report {
    fn into_result(self) -> Result<CallToolResult, ToolError> {
        let words = Content::text(&self.words);
        Ok(Json(self).into_result()?.with(words))
    }

    fn output_schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        Json::<Self>::output_schema(generator)
    }
}

impl Outcome {
    fn in_words(self) -> &'static str {
        match self {
            Self::ModelWon => "The model won.",
            Self::UserWon => "The user won.",
            Self::Draw => "It is a draw.",
            Self::Resigned => "The user gave up: the model won.",
            Self::Closed => "The user closed the board. Ask whether they still want to play.",
            Self::Forfeited => "The model gave no legal move: the user won.",
            Self::Adjourned => "The game is adjourned: a player can no longer be asked.",
        }
    }
}

impl End {
    pub(crate) fn forfeited(why: impl Display) -> Self {
        Self { outcome: Outcome::Forfeited, why: Some(why.to_string()) }
    }

    pub(crate) fn adjourned(why: impl Display) -> Self {
        Self { outcome: Outcome::Adjourned, why: Some(why.to_string()) }
    }

    /// Returns the end of a game that needs more rounds than a call may have. This happens only since 2026-07-28, when
    /// each question to the client is a round.
    pub(crate) fn out_of_rounds() -> Self {
        Self::adjourned("most clients allow only a few rounds of one call")
    }
}

impl From<Outcome> for End {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, why: None }
    }
}

/// Converts the error for a taken cell. This should not occur, because the turns of both players accept only free
/// cells.
impl From<Taken> for End {
    fn from(error: Taken) -> Self {
        Self::adjourned(error)
    }
}

/// If a player cannot be asked, the game is adjourned.
impl From<AskError> for End {
    fn from(error: AskError) -> Self {
        Self::adjourned(error)
    }
}

/// If the model was asked and gave no valid reply, it loses the game.
impl From<SampleError> for End {
    fn from(error: SampleError) -> Self {
        match error {
            SampleError::Ask(error) => error.into(),
            error => Self::forfeited(error),
        }
    }
}
