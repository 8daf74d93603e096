//! The lease of a round: how long it belongs to an instance that does not renew it.

use std::time::Duration;

use crate::call::ledger_time::LedgerTime;

/// The default duration of a lease. The holder renews it three times as often; see [`ClaimState`](super::claim_state).
pub(crate) const LEASE: Duration = Duration::from_secs(30);

/// The right of one holder to run a round, until a point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lease {
    pub(super) holder: u64,
    /// When the lease expires.
    pub(super) until: LedgerTime,
}
