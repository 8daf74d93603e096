//! Ended calls, with bounds in number, bytes and time.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;

use super::live::{CallOwner, LiveCall};
use crate::base::owned::{Amount, AmountLimits, OwnedEntries};

/// The ids of calls that have ended, oldest first.
pub(crate) struct EndedCalls {
    calls: OwnedEntries<CallOwner, EndedCall>,
    keep: Duration,
}

struct EndedCall {
    id: Arc<str>,
    at: Instant,
}

impl EndedCalls {
    pub(crate) fn new(limits: AmountLimits, keep: Duration) -> Self {
        Self { calls: OwnedEntries::new(limits), keep }
    }

    /// Adds a call that ends now. Then removes the oldest calls of its user if the user has too many, or of the users
    /// that have most. Returns the ids of the calls that were removed.
    pub(crate) fn add(&mut self, call: &LiveCall) -> Vec<Arc<str>> {
        let owner = call.owner_name();
        let ended = EndedCall { id: call.id.clone(), at: Instant::now() };
        self.calls.insert(owner.clone(), Amount::one(call.timeline.bytes().0), ended);
        let mut gone = Vec::new();
        // For calls of the application itself, only the limits for all calls apply.
        while owner.is_some() && self.calls.excess_of(&owner, Amount::default()).is_some() {
            gone.extend(self.calls.remove_oldest_of(&owner));
        }
        gone.extend(self.calls.shrink(|_| true));
        gone.into_iter().map(|ended| ended.id).collect()
    }

    /// Removes the calls that ended long ago. Returns their ids, and when the next one is due.
    pub(crate) fn expire(&mut self) -> (Vec<Arc<str>>, Option<Instant>) {
        /// An end of time for a duration that is too long for an `Instant`.
        const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
        let now = Instant::now();
        let mut gone = Vec::new();
        while let Some((number, EndedCall { id, at })) = self.calls.oldest() {
            let due = at.checked_add(self.keep).unwrap_or(now + YEAR);
            if now < due {
                return (gone, Some(due));
            }
            gone.push(id.clone());
            self.calls.remove(number);
        }
        (gone, None)
    }
}
