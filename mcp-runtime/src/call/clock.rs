//! The wall clock of the machine. Calls are judged by the time of their ledger, which no step of this one puts back.

use std::time::{Duration, SystemTime};

/// Since 1970.
pub(crate) type Millis = u64;

/// As it is now. A clock that stands before 1970 stands at 1970.
pub(crate) fn since_1970() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

/// The same in milliseconds.
pub(crate) fn now() -> Millis {
    millis(since_1970())
}

pub(crate) fn millis(duration: Duration) -> Millis {
    Millis::try_from(duration.as_millis()).unwrap_or(Millis::MAX)
}
