//! The limits that several back ends share.

use std::time::Duration;

use crate::base::clock::millis;

/// The default time for which the reply of a finished call is kept.
#[cfg(any(feature = "postgres", feature = "redis"))]
pub(super) const REPLIES: Duration = Duration::from_secs(5 * 60);
/// The longest time for which an entry is kept, so that times never overflow.
const AGES: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// Returns how long an entry is kept, in milliseconds. Rounds up, so that entries are kept long enough.
pub(super) fn kept_millis(keep: Duration) -> u64 {
    millis(keep.min(AGES) + Duration::from_nanos(999_999))
}
