//! Durable calls: calls that last longer than a request, a connection or a process.
//!
//! The [`ledger`] keeps one record per call, so that the call's effects happen once. A [`continuation`] connects two
//! rounds. The client carries a part of the continuation, which [`seal`] protects. Between two [`rounds`], a
//! parked call waits in memory.
//!
//! Each group of this room uses only those before it: `ledger`, `seal`, `on_demand`, `continuation`, `inspect`, `rounds`.

pub(crate) mod continuation;
#[cfg(feature = "dev")]
pub(crate) mod inspect;
pub(crate) mod ledger;
pub(crate) mod on_demand;
mod rounds;
#[cfg(feature = "seal")]
pub(crate) mod seal;

pub use self::rounds::Once;
pub(crate) use self::rounds::{Durable, KEYS_KEPT, dry_run};
