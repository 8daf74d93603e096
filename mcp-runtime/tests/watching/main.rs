//! Spans, traces and metrics, as an operator sees them.

#[cfg(feature = "testing")]
mod errors;
mod health;
mod measurements;
mod recorder;
mod secrets;
#[allow(dead_code, reason = "shared with other tests, which use the rest")]
#[path = "../support/shared_ledger.rs"]
mod shared_ledger;
mod spans;
mod tools;
mod traces;
