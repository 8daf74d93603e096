//! Calls of several rounds, and what may go wrong between them: `before` runs once, `after` runs once.
//!
//! Most tests run on one instance and, where states are sealed, on two that take turns and share a ledger and the keys.

mod cancelled;
#[cfg(feature = "seal")]
mod elsewhere;
mod modes;
mod nothing_spent;
mod questions;
mod rebuilt;
mod repeated;
mod tools;
mod troubled_ledger;
mod wire;
mod world;
