//! Quotas for each owner's calls that continue after their request. A quota also reserves the room in the ledger that
//! each call needs later.
//!
//! A call is admitted before any of the author's code runs. From then on the call has room for its record, so that it
//! cannot fail for lack of room after the user has answered. The call counts against the quota until it is finished or
//! its states have expired. A finished call leaves almost nothing in the ledger. Only new calls are rejected, never
//! later rounds of an admitted call.

mod table;
#[cfg(test)]
mod tests;

use std::{fmt, sync::Arc, time::Duration};

use tokio::time::Instant;

use self::table::{CountedCall, OwnerUsage, QuotaTable};
use super::LedgerCapacity;
use crate::{
    base::mutex::Mutex,
    engine::call::{
        Owner,
        admission::{Admission, CallQuotas, WaitingPlace},
        call_id::CallId,
    },
};

/// The bytes counted for a call's record and its entries in tables. The call's arguments and reply are counted in
/// addition.
const CALL: usize = 1024;
/// The bytes that the ledger keeps for a cancelled call with an idempotency key.
const KEYED: usize = 256;
/// The maximum number of expired calls that each new call removes.
const FEW: usize = 8;

/// The limits on the number and on the total bytes of one owner's open calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuotaLimits {
    pub(crate) calls: usize,
    pub(crate) bytes: usize,
    /// The maximum number of parked calls that cannot be rebuilt.
    pub(crate) parked: usize,
}

/// The limits for the parked calls of all owners that cannot be rebuilt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parkable {
    pub(crate) calls: usize,
    /// The maximum total bytes of these calls and of all calls that wait in sessions.
    pub(crate) bytes: usize,
}

/// The reason why a call was not admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoCapacity {
    /// The owner's quota is used up.
    Owner,
    /// The limits for all owners are reached.
    Server,
}

/// Counts the open calls of a server. It also counts the finished calls that still take room in the ledger.
pub(crate) struct Quotas {
    limits: QuotaLimits,
    parkable: Parkable,
    table: Mutex<QuotaTable>,
}

/// How much room a call takes at the end of a round, in memory and in the ledger.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptSize {
    /// The bytes of the call's arguments, and of the latest reply and the journal in its record.
    pub(crate) bytes: usize,
    /// The bytes of a journal that this round stored in the ledger. Every stored journal stays until it expires.
    pub(crate) spilled: usize,
    /// Whether the call is parked in this process and cannot be rebuilt.
    pub(crate) is_parked: bool,
    /// Whether the ledger has the call's record.
    pub(crate) is_recorded: bool,
    /// How long the call's states are valid.
    pub(crate) keep: Duration,
}

impl Quotas {
    pub(crate) fn new(limits: QuotaLimits, parkable: Parkable) -> Arc<Self> {
        Arc::new(Self { limits, parkable, table: Mutex::default() })
    }

    /// Admits a call of this owner. `arguments` is the length of the arguments in bytes. `room` returns the ledger's
    /// room for new calls, if known.
    ///
    /// If the owner has no other call, the owner's quota does not limit the size of the new call.
    pub(crate) fn admit(
        self: &Arc<Self>,
        owner: Option<&Owner>,
        arguments: usize,
        is_parked: bool,
        room: impl Fn() -> Option<LedgerCapacity>,
    ) -> Result<Admission, NoCapacity> {
        let waiting = if is_parked { WaitingPlace::Parked } else { WaitingPlace::Client };
        self.take(owner.cloned(), arguments, waiting, room)
    }

    /// Admits a call in a session. Such a call has no record in the ledger.
    pub(crate) fn admit_in_session(self: &Arc<Self>, owner: &Owner, arguments: usize) -> Result<Admission, NoCapacity> {
        self.take(Some(owner.clone()), arguments, WaitingPlace::Session, || None)
    }

    fn take(
        self: &Arc<Self>,
        owner: Option<Owner>,
        arguments: usize,
        waiting: WaitingPlace,
        room: impl Fn() -> Option<LedgerCapacity>,
    ) -> Result<Admission, NoCapacity> {
        // The arguments can appear again in questions and journals.
        let bytes = CALL.saturating_add(arguments.saturating_mul(2));
        let usage = OwnerUsage::of_new_call(bytes, waiting);
        let mut table = self.table.lock();
        let now = Instant::now();
        table.sweep(now, FEW);
        let mut refused = self.refuses(&table, owner.as_ref(), usage, &room);
        if refused.is_some() && table.sweep(now, usize::MAX) {
            refused = self.refuses(&table, owner.as_ref(), usage, &room);
        }
        if let Some(refused) = refused {
            return Err(refused);
        }
        table.add(owner.as_ref(), usage, OwnerUsage::promised_to_new_call(bytes, waiting));
        Ok(Admission { quotas: Arc::clone(self) as _, owner, bytes, waiting })
    }

    fn refuses(
        &self,
        table: &QuotaTable,
        owner: Option<&Owner>,
        more: OwnerUsage,
        room: &impl Fn() -> Option<LedgerCapacity>,
    ) -> Option<NoCapacity> {
        if let Some(own) = owner.and_then(|owner| table.owners.get(owner))
            && (own.calls >= self.limits.calls
                || own.bytes.saturating_add(more.bytes) > self.limits.bytes
                || own.parked + more.parked > self.limits.parked)
        {
            return Some(NoCapacity::Owner);
        }
        let fits = |room: LedgerCapacity| {
            table.promised.calls < room.entries && table.promised.bytes.saturating_add(more.bytes) <= room.bytes
        };
        // If no other call counts in `parked_bytes`, this call can be of any size.
        let parked_bytes = if more.parked_bytes == 0 { 0 } else { table.all.parked_bytes };
        let is_full = table.all.parked + more.parked > self.parkable.calls
            || parked_bytes > 0 && parked_bytes.saturating_add(more.parked_bytes) > self.parkable.bytes
            || !room().is_none_or(fits);
        is_full.then_some(NoCapacity::Server)
    }

    /// Sets the room that a call takes now. If another instance admitted the call, the call now also counts against the
    /// quota of its principal in this instance.
    pub(crate) fn keep(
        &self,
        call: CallId,
        mut admission: Option<Admission>,
        principal: impl FnOnce() -> Option<Owner>,
        holds: KeptSize,
    ) {
        let KeptSize { bytes, spilled, is_parked, is_recorded, keep } = holds;
        let expires = Instant::now() + keep;
        // The lock is held until the end, so that no other call takes the released room first.
        let mut table = self.table.lock();
        let (owner, spilled, is_new) = match (table.remove(call), &admission) {
            (Some(entry), _) => (entry.owner, entry.spilled + spilled, false),
            (None, Some(admission)) => (admission.owner.clone(), spilled, true),
            (None, None) => (principal(), spilled, true),
        };
        let bytes = CALL + bytes + spilled;
        if is_new {
            table.by_expiry.push(expires, call);
        }
        table.insert(call, CountedCall { owner, bytes, spilled, expires, is_parked, is_recorded, is_open: true });
        if is_new && let Some(admission) = &mut admission {
            // Released last, so that the owner's entry stays in the table.
            table.release(admission);
            admission.bytes = 0;
        }
    }

    /// Stops counting a finished call, because the ledger keeps only one bit for it. A call with an idempotency key, or
    /// with a journal in the ledger, takes more room, so it counts until it expires.
    pub(crate) fn finish(
        &self,
        call: CallId,
        is_keyed: bool,
        admission: Option<Admission>,
        principal: impl FnOnce() -> Option<Owner>,
        holds: KeptSize,
    ) {
        let mut table = self.table.lock();
        let stays = |entry: &CountedCall| entry.spilled > 0;
        if is_keyed || table.calls.get(&call).is_some_and(stays) {
            drop(table);
            return self.keep(call, admission, principal, holds);
        }
        table.forget(call);
    }

    /// Stops counting a call that was cancelled. Its journals in the ledger and the record of its idempotency key count
    /// until they expire, but only with their bytes.
    pub(crate) fn cancel(&self, call: CallId, is_keyed: bool) {
        let mut table = self.table.lock();
        let kept = |entry: &CountedCall| entry.spilled + if is_keyed { KEYED } else { 0 };
        match table.calls.get(&call).map(kept) {
            Some(0) => table.forget(call),
            Some(bytes) => {
                if let Some(entry) = table.remove(call) {
                    let (is_parked, is_recorded, is_open) = (false, true, false);
                    table.insert(call, CountedCall { bytes, is_parked, is_recorded, is_open, ..entry });
                }
            }
            None => {}
        }
    }

    /// Returns whether this call is counted.
    pub(crate) fn knows(&self, call: CallId) -> bool {
        self.table.lock().calls.contains_key(&call)
    }

    /// Removes expired calls. Returns whether any calls are left.
    pub(crate) fn sweep(&self) -> bool {
        let mut table = self.table.lock();
        table.sweep(Instant::now(), usize::MAX);
        !table.calls.is_empty()
    }
}

impl CallQuotas for Quotas {
    fn release(&self, admission: &Admission) {
        self.table.lock().release(admission);
    }
}

impl fmt::Debug for Quotas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Quotas").field("limits", &self.limits).finish_non_exhaustive()
    }
}
