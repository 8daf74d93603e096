//! The way to what lasts over several requests, for programs whose tools ask.
//!
//! Ledger, journal and seal are a good part of a small server. They are reached through [`ROUNDS`] alone, and that is
//! named only by what asks or declares that it may: the linker leaves them out of every other program.

use std::{any::Any, pin::Pin};

use super::{Inner, body::Body, questions::Requests, registry::Registered};
pub(crate) use crate::durable::resume::{Keyed, Return};
use crate::{
    call::{CallState, owner::Owner, request::Asker, running::Running},
    durable::{resume, round_runner},
    error::ToolError,
    protocol::error::RpcError,
};

/// What answers a request that is more than a call of its own.
pub(crate) type Answering = Pin<Box<dyn Future<Output = Body> + Send>>;

/// The right of a call to wait for answers: an [`Admission`](crate::durable::ledger::quota::Admission), which not
/// every program has.
pub(crate) type Admitted = Box<dyn Any + Send + Sync>;

/// How calls go on that last over several requests.
#[derive(Debug)]
pub struct Rounds {
    /// Admits a call of this owner that may last over several requests, with so many bytes of arguments, before anything
    /// of it runs.
    pub(crate) admit: fn(&Inner, &Registered, Option<&Owner>, usize) -> Result<Admitted, RpcError>,
    /// Admits a call in a session of this owner that may wait for answers, in the same way.
    pub(crate) admit_in_session: fn(&Inner, &Owner, usize) -> Result<Admitted, RpcError>,
    /// A request that comes back with answers.
    pub(crate) go_on: fn(Return) -> Answering,
    /// A call that has a key from its client.
    pub(crate) begin_once: fn(Keyed) -> Answering,
    /// The end of a first round that asks.
    pub(crate) ask: fn(Box<Running>, Box<str>) -> Answering,
    /// Asks the client of a session.
    pub(crate) asker: fn() -> Box<dyn Asker>,
    /// Runs a first round to its end for which nobody waits any more.
    pub(crate) run_on: fn(Box<Running>),
    /// The error of the protocol that a tool's error stands for, if it is one of asking or of going on.
    pub(crate) refused: fn(&CallState, &ToolError) -> Option<RpcError>,
}

pub(crate) static ROUNDS: Rounds = Rounds {
    admit: |server, tool, owner, arguments| {
        resume::admit(server, tool, owner, arguments).map(|admission| Box::new(admission) as Admitted)
    },
    admit_in_session: |server, owner, arguments| {
        resume::admit_in_session(server, owner, arguments).map(|admission| Box::new(admission) as Admitted)
    },
    go_on: |request| Box::pin(resume::go_on(request)),
    begin_once: |keyed| Box::pin(resume::begin_once(keyed)),
    asker: || Box::new(Requests::default()),
    run_on: round_runner::run_on,
    refused: resume::refused,
    ask: |running, arguments| Box::pin(async move { round_runner::ask(running, &arguments, None).await }),
};
