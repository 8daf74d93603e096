//! The table of counted calls, and what each owner has.

use std::{
    collections::{HashMap, hash_map::Entry},
    ops::{AddAssign, SubAssign},
};

use tokio::time::Instant;

use super::CALL;
use crate::engine::{
    call::{
        Owner,
        admission::{Admission, WaitingPlace},
        call_id::{ByCall, CallId},
    },
    durable::ledger::expiry::{ExpiryQueue, LARGE, smaller_capacity},
};

#[derive(Default)]
pub(super) struct QuotaTable {
    pub(super) calls: ByCall<CountedCall>,
    /// The ids of all counted calls, ordered by expiry. Can also contain ids of finished calls.
    pub(super) by_expiry: ExpiryQueue<CallId>,
    pub(super) owners: HashMap<Owner, OwnerUsage>,
    /// The usage of all owners.
    pub(super) all: OwnerUsage,
    /// The room reserved for admitted calls whose records are not in the ledger yet.
    pub(super) promised: OwnerUsage,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OwnerUsage {
    pub(super) calls: usize,
    pub(super) bytes: usize,
    /// The number of parked calls that cannot be rebuilt.
    pub(super) parked: usize,
    /// The bytes of parked calls that cannot be rebuilt, and of calls that wait in sessions.
    pub(super) parked_bytes: usize,
}

/// A counted call. The table has one for each open call, so it stores what its usage follows from, and not the usage.
pub(super) struct CountedCall {
    pub(super) owner: Option<Owner>,
    pub(super) bytes: usize,
    pub(super) spilled: usize,
    pub(super) expires: Instant,
    pub(super) is_parked: bool,
    pub(super) is_recorded: bool,
    /// Whether the call counts against the number of calls. A cancelled call counts only its bytes in the ledger.
    pub(super) is_open: bool,
}

impl OwnerUsage {
    /// Returns the usage of a call from its admission until it is counted by itself.
    pub(super) fn of_new_call(bytes: usize, waiting: WaitingPlace) -> Self {
        let (parked, parked_bytes) = match waiting {
            WaitingPlace::Session => (0, bytes),
            WaitingPlace::Parked => (1, bytes),
            WaitingPlace::Client => (0, 0),
        };
        Self { calls: 1, bytes, parked, parked_bytes }
    }

    /// Returns the room to reserve in the ledger for such a call.
    pub(super) fn promised_to_new_call(bytes: usize, waiting: WaitingPlace) -> Self {
        match waiting {
            WaitingPlace::Session => Self::default(),
            WaitingPlace::Parked | WaitingPlace::Client => Self { calls: 1, bytes, ..Self::default() },
        }
    }
}

impl CountedCall {
    fn usage(&self) -> OwnerUsage {
        let (parked, parked_bytes) = if self.is_parked { (1, self.bytes) } else { (0, 0) };
        OwnerUsage { calls: usize::from(self.is_open), bytes: self.bytes, parked, parked_bytes }
    }

    fn promised(&self) -> OwnerUsage {
        match self.is_recorded {
            true => OwnerUsage::default(),
            false => OwnerUsage { calls: 1, bytes: CALL, ..OwnerUsage::default() },
        }
    }
}

impl QuotaTable {
    pub(super) fn add(&mut self, owner: Option<&Owner>, usage: OwnerUsage, promised: OwnerUsage) {
        self.all += usage;
        self.promised += promised;
        if let Some(owner) = owner {
            *self.owners.entry(owner.clone()).or_default() += usage;
        }
    }

    pub(super) fn subtract(&mut self, owner: Option<&Owner>, usage: OwnerUsage, promised: OwnerUsage) {
        self.all -= usage;
        self.promised -= promised;
        if let Some(owner) = owner
            && let Entry::Occupied(mut own) = self.owners.entry(owner.clone())
        {
            *own.get_mut() -= usage;
            if *own.get() == OwnerUsage::default() {
                own.remove();
            }
        }
    }

    /// Stops counting the room of an admission.
    pub(super) fn release(&mut self, Admission { owner, bytes, waiting, .. }: &Admission) {
        let usage = OwnerUsage::of_new_call(*bytes, *waiting);
        self.subtract(owner.as_ref(), usage, OwnerUsage::promised_to_new_call(*bytes, *waiting));
    }

    pub(super) fn insert(&mut self, id: CallId, call: CountedCall) {
        self.add(call.owner.as_ref(), call.usage(), call.promised());
        self.calls.insert(id, call);
    }

    /// Removes a call from the table. Its id stays in the queue, because the caller may add the call again.
    pub(super) fn remove(&mut self, call: CallId) -> Option<CountedCall> {
        let entry = self.calls.remove(&call)?;
        self.subtract(entry.owner.as_ref(), entry.usage(), entry.promised());
        Some(entry)
    }

    /// Removes a call that will not be added again. If most entries of the queue are unused, removes these entries.
    pub(super) fn forget(&mut self, call: CallId) {
        self.remove(call);
        if self.by_expiry.len() > 2 * self.calls.len() + LARGE {
            self.by_expiry.retain(|call| self.calls.contains_key(call));
        }
    }

    /// Removes at most `most` expired calls. Returns whether a call was removed.
    pub(super) fn sweep(&mut self, now: Instant, most: usize) -> bool {
        let mut any = false;
        for _ in 0..most {
            let Some(call) = self.by_expiry.pop_due(now) else { break };
            match self.calls.get(&call).map(|entry| entry.expires) {
                Some(later) if now < later => self.by_expiry.push(later, call),
                _ => any |= self.remove(call).is_some(),
            }
        }
        if any && let Some(capacity) = smaller_capacity(self.calls.len(), self.calls.capacity()) {
            self.calls.shrink_to(capacity);
            self.by_expiry.shrink_to(capacity);
        }
        any
    }
}

impl AddAssign for OwnerUsage {
    fn add_assign(&mut self, more: Self) {
        self.calls += more.calls;
        self.bytes = self.bytes.saturating_add(more.bytes);
        self.parked += more.parked;
        self.parked_bytes = self.parked_bytes.saturating_add(more.parked_bytes);
    }
}

impl SubAssign for OwnerUsage {
    fn sub_assign(&mut self, less: Self) {
        self.calls -= less.calls;
        self.bytes = self.bytes.saturating_sub(less.bytes);
        self.parked -= less.parked;
        self.parked_bytes = self.parked_bytes.saturating_sub(less.parked_bytes);
    }
}
