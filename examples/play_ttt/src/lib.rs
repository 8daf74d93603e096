//! A server that plays tic-tac-toe with the user. One call of its only tool plays a whole game.
//!
//! It shows a tool that asks a model and the user in turn. The client answers for the model, or the server asks a model
//! itself. The tool does not know which. The model answers with a plan, as a call of one of several tools
//! (`model::Strategy`), and with a move that matches a schema (`model::Move`). If an answer does not match, or the cell
//! of a move is taken, the model is asked again with the reason. The user gets a form with the free cells as choices
//! (`user.rs`). `before` draws once who begins, so that the draw is the same when the call is rebuilt (`tool.rs`). The
//! result says how the game ended (`end.rs`).
//!
//! Since 2026-07-28 each question to the client is a round, and some clients allow only eight. A game has eight moves
//! with a choice, because the last cell needs no question. So the client's model is not asked for plans, and after a
//! correction the game can be adjourned. With a model that the server asks itself, only the user's moves are rounds.
//!
//! `transcript.jsonl` contains the messages of a client and the server.

mod board;
mod end;
mod game;
mod model;
#[cfg(test)]
mod tests;
mod tool;
mod user;

use mcp_runtime::{prelude::*, sample::SamplingOrder};

pub use self::{
    tool::PlayTtt,
    user::{Moves, MovesHandler, TakeCell},
};

/// Creates the server without a sampling provider.
pub fn server() -> Server {
    Server::new("play_ttt", env!("CARGO_PKG_VERSION"))
        .title("Tic-tac-toe")
        .instructions("Plays tic-tac-toe with the user. One call is a whole game.")
        // If the server has a model, ask it first, so that only the user's moves are rounds.
        .sampling_order(SamplingOrder::ProviderFirst)
        .tool(PlayTtt)
}
