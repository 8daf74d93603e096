//! Durable calls: calls that last longer than a request, a connection or a process.
//!
//! The [`ledger`] keeps one record per call, so that the call's effects happen once. A [`continuation`] connects two
//! rounds. The client carries a part of the continuation, which [`seal`] protects. Between two [`rounds`], a
//! parked call waits in memory.
//!
//! The groups of this room are ordered: each uses only those before it.

pub(crate) mod ledger;
#[cfg(feature = "seal")]
pub(crate) mod seal;

pub(crate) mod on_demand;

pub(crate) mod continuation;

mod rounds;

pub(crate) use self::rounds::Durable;
pub use self::rounds::Once;
#[cfg(feature = "testing")]
pub(crate) use self::rounds::dry_run;
