//! The lease of a round: an instance owns the round until the lease expires. The instance can renew the lease.

use std::time::Duration;

use crate::engine::call::ledger_time::LedgerTime;

/// The default duration of a lease. The holder renews it after a third of this time; see
/// [`ClaimState`](super::claim_state).
pub(crate) const LEASE: Duration = Duration::from_secs(30);

/// The right of one holder to run a round, until a point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lease {
    pub(super) holder: u64,
    /// When the lease expires.
    pub(super) until: LedgerTime,
}
