//! One call from the terminal: its options, its conversation and its result.

pub(crate) mod conversation;
#[cfg(all(feature = "actions", unix))]
pub(crate) mod detach;
mod missing;
pub(crate) mod options;
pub(crate) mod outcome;
mod screen;
