//! The way to what lasts over several requests, for programs whose tools ask.
//!
//! Ledger, journal and seal are a good part of a small server. They are reached through [`ROUNDS`] alone, and that is
//! named only by what asks or declares that it may: the linker leaves them out of every other program.

use std::pin::Pin;

pub(crate) use super::rounds::Return;
use super::{body::Body, leading, questions::Requests, rounds};
use crate::{
    call::{CallState, request::Asker, running::Running},
    error::ToolError,
    wire::error::RpcError,
};

/// What answers a request that is more than a call of its own.
pub(crate) type Answering = Pin<Box<dyn Future<Output = Body> + Send>>;

/// How calls go on that last over several requests.
#[derive(Debug)]
pub struct Rounds {
    /// A request that comes back with answers.
    pub(crate) go_on: fn(Return) -> Answering,
    /// A call that has a key from its client.
    pub(crate) begin_once: fn(Running, Box<str>, Box<str>) -> Answering,
    /// The end of a first round that asks.
    pub(crate) ask: fn(Running, Box<str>) -> Answering,
    /// Asks the client of a session.
    pub(crate) asker: fn() -> Box<dyn Asker>,
    /// Runs a first round to its end for which nobody waits any more.
    pub(crate) run_on: fn(Running),
    /// The error of the protocol that a tool's error stands for, if it is one of asking or of going on.
    pub(crate) refused: fn(&CallState, &ToolError) -> Option<RpcError>,
}

pub(crate) static ROUNDS: Rounds = Rounds {
    go_on: |request| Box::pin(rounds::go_on(request)),
    begin_once: |running, arguments, key| Box::pin(rounds::begin_once(running, arguments, key)),
    asker: || Box::new(Requests::default()),
    run_on: leading::run_on,
    refused: rounds::refused,
    ask: |running, arguments| Box::pin(async move { leading::ask(running, &arguments, None).await }),
};
