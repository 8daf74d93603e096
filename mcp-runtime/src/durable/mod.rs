//! What lets a call outlive one request, one connection and one process.
//!
//! The [`ledger`] keeps one record per call, so that its effects happen once; a [`continuation`] bridges two rounds, and
//! [`seal`] protects what of it the client carries; a [`parked`] call waits in memory for its next round.

pub(crate) mod continuation;
#[cfg(feature = "testing")]
pub(crate) mod dry_run;
pub(crate) mod ledger;
pub(crate) mod parked;
pub(crate) mod resume;
pub(crate) mod round_runner;
#[cfg(feature = "seal")]
pub(crate) mod seal;
