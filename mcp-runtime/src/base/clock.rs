//! The wall clock of the machine. Timeouts of calls use [`LedgerTime`](super::ledger_time::LedgerTime) instead, which
//! never runs backwards.

use std::time::{Duration, SystemTime};

/// Milliseconds since 1970.
pub(crate) type Millis = u64;

/// Returns the time since 1970. Returns zero if the clock shows an earlier time.
pub(crate) fn since_1970() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

/// Returns the milliseconds since 1970.
pub(crate) fn now() -> Millis {
    millis(since_1970())
}

pub(crate) fn millis(duration: Duration) -> Millis {
    Millis::try_from(duration.as_millis()).unwrap_or(Millis::MAX)
}
