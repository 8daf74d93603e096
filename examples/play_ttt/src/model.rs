//! The model's turn: its plan and its move.

use mcp_runtime::{
    prelude::*,
    sample::{Messages, SampleError},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    board::{Cell, listed},
    end::{End, Outcome},
    game::Game,
    user::Moves,
};

/// How to play the next move.
#[derive(Debug, SampleTools)]
pub(crate) enum Strategy {
    /// Attack: get three of your cells in a line.
    Attack {
        /// Which line, in a few words.
        #[schemars(length(max = 60))]
        line: String,
    },
    /// Defend: take the cell that the other needs for a line.
    Defend {
        /// Which line, in a few words.
        #[schemars(length(max = 60))]
        line: String,
    },
    /// Take a good place for later: the centre or a corner.
    Develop,
}

/// Where the mark goes.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Move {
    /// The number of a free cell.
    cell: Cell,
}

/// How often a model that takes a cell that is not free is asked again.
const CORRECTIONS: u32 = 2;

/// Enough tokens for a tool's name and a few words. A longer reply is cut off, and the model is asked again.
const TOKENS: u32 = 64;

const PART: &str = "You play tic-tac-toe against the user. You want to win.";

/// Asks the model for its move. Returns the cell, and the plan if the model had one.
pub(crate) async fn turn(ctx: &Ctx<Moves>, game: &Game) -> Result<(Cell, Option<String>), End> {
    let plan = if can_plan(ctx, game) { plan(ctx, game).await? } else { None };
    match cell(ctx, game, plan.as_deref()).await {
        Ok(cell) => Ok((cell, plan)),
        // The model could have been asked again in another round, so it does not lose the game.
        Err(End { outcome: Outcome::Forfeited, .. }) if ctx.rounds_left() == 0 => Err(End::out_of_rounds()),
        Err(end) => Err(end),
    }
}

/// Whether to ask for a plan. The first mark needs none. For later marks, a plan needs a spare round only since
/// 2026-07-28 and with the client's model, because then each plan and each move takes a round.
fn can_plan(ctx: &Ctx<Moves>, game: &Game) -> bool {
    let has_begun = !game.board().having(Some(game.next())).is_empty();
    has_begun && ctx.rounds_left() > game.turns_left()
}

async fn plan(ctx: &Ctx<Moves>, game: &Game) -> Result<Option<String>, End> {
    let position = game.in_words();
    let ask = ctx.sample_tools::<Strategy>(format!("{position}\nHow do you play your next move?"));
    match ask.key("plan").system(PART).max_tokens(TOKENS).temperature(0.0).await {
        Ok(called) => Ok(Some(called.into_first().in_words())),
        // The model can play without a plan.
        Err(SampleError::Validation(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Asks the model for a free cell. The schema checks that the cell exists. This function checks that the cell is free.
async fn cell(ctx: &Ctx<Moves>, game: &Game, plan: Option<&str>) -> Result<Cell, End> {
    let free = game.board().free();
    let plan = plan.map_or_else(String::new, |plan| format!("\nYour plan: {plan}"));
    // The free cells are at the end of the message, because small models forget the beginning.
    let choose = format!("Take one of the free cells: {}", listed(&free));
    let mut messages = Messages::new().user(format!("{}{plan}\n{choose}", game.in_words()));
    for _ in 0..=CORRECTIONS {
        let ask = ctx.sample_schema::<Move>(messages.clone()).key("move");
        let Move { cell } = ask.system(PART).max_tokens(TOKENS).temperature(0.0).await?.parsed;
        if free.contains(&cell) {
            return Ok(cell);
        }
        if ctx.rounds_left() == 0 {
            break;
        }
        messages = messages.assistant(format!("{{\"cell\":{cell}}}")).user(format!("{cell} is taken. {choose}"));
    }
    Err(End::forfeited("it took a taken cell again, although it got the list of the free cells"))
}

impl Strategy {
    fn in_words(self) -> String {
        match self {
            Self::Attack { line } => format!("attack: {line}"),
            Self::Defend { line } => format!("defend: {line}"),
            Self::Develop => "take a good place".to_owned(),
        }
    }
}
