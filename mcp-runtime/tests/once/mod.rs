//! Multi-round calls with failures. `before` runs once, and `after` runs once.
//!
//! Most tests run on one instance and, where states are sealed, on two that take turns and share a ledger and the keys;
//! with each kind of ledger.

mod cancelled;
mod cancelled_quota;
mod elsewhere;
mod evicted;
mod expired;
#[cfg(unix)]
mod killed;
mod modes;
#[cfg(unix)]
mod outages;
mod questions;
mod random_instances;
mod rebuilt;
#[cfg(unix)]
mod redis;
mod repeated;
mod replay_hazards;
#[cfg(all(unix, feature = "seal"))]
mod shards;
mod steps;
mod tools;
mod troubled_ledger;
mod unconsumed_states;
pub(crate) mod wire;
mod world;
