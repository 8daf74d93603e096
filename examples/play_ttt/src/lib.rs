//! A server that plays tic-tac-toe with the user: one tool, a whole game.
//!
//! It shows a tool that asks a model and a person in turn. The model is the client's own, or one that the server asks
//! itself; the tool does not know which. Its plan is a call of one of several tools (`model::Strategy`), its move a
//! value that fits a schema (`model::Move`); what does not fit is asked again with what was wrong, and so is a cell that
//! is taken, of which no schema knows. The person has a form with the free cells to choose from (`user.rs`). Who begins is
//! drawn in `before`, once, wherever the game goes on (`tool.rs`). However a game ends, the result says how (`end.rs`).
//!
//! Since 2026-07-28 each question to the client is a round, and there are clients that go along with eight. So many are
//! the moves of a game, for the last is nobody's choice: the client's own model is asked for no plans there, and where it
//! had to be corrected, the game may be adjourned. With a model of the server's own only the person's moves are rounds.
//!
//! `transcript.jsonl` is what client and server say to each other.

mod board;
mod end;
mod game;
mod model;
#[cfg(test)]
mod tests;
mod tool;
mod user;

use mcp_runtime::{prelude::*, sample::SamplingOrder};

use self::tool::PlayTtt;

/// Creates a server that has no model of its own yet.
pub fn server() -> Server {
    Server::new("play_ttt", env!("CARGO_PKG_VERSION"))
        .title("Tic-tac-toe")
        .instructions("Plays tic-tac-toe with the user. One call is a whole game.")
        // A model of the server's own leaves the client's rounds to the person.
        .sampling_order(SamplingOrder::ProviderFirst)
        .tool(PlayTtt)
}
