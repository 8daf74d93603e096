//! Runs a call: the driver polls its future, the conversation goes to the client, the result into a response.

pub(crate) mod admission;
pub(crate) mod body;
pub(crate) mod execution;
pub(crate) mod limits;
pub(crate) mod multi_round;
pub(crate) mod round_observer;
mod rounds;
pub(crate) mod running;
pub(crate) mod session_questions;
