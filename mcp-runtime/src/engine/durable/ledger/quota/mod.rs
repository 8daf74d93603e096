//! Quotas for each owner's calls that continue after their request. A quota also reserves the room in the ledger that
//! each call needs later.
//!
//! A call is admitted before any of the author's code runs. From then on the call has room for its record, so that it
//! cannot fail for lack of room after the user has answered. The call counts against the quota until it is finished or
//! its states have expired. A finished call leaves almost nothing in the ledger. Only new calls are rejected, never
//! later rounds of an admitted call.

use std::{
    collections::HashMap,
    fmt,
    ops::{AddAssign, SubAssign},
    sync::Arc,
    time::Duration,
};

use tokio::time::Instant;

use super::{LedgerCapacity, expiry::ExpiryQueue};
use crate::{
    base::mutex::Mutex,
    engine::call::{
        Owner,
        call_id::{ByCall, CallId},
    },
};

/// The bytes counted for a call's record and its entries in tables. The call's arguments and reply are counted in
/// addition.
const CALL: usize = 1024;
/// The bytes that the ledger keeps for a cancelled call with an idempotency key.
const KEYED: usize = 256;
/// The maximum number of expired calls that each new call removes.
const FEW: usize = 8;
/// A table with a larger capacity shrinks when it is almost empty.
const LARGE: usize = 1024;

/// The limits on the number and on the total bytes of one owner's open calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuotaLimits {
    pub(crate) calls: usize,
    pub(crate) bytes: usize,
}

/// The limits for parked calls that cannot be rebuilt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parkable {
    /// The maximum number of parked calls for one owner. `all` is the maximum for all owners together.
    pub(crate) each: usize,
    pub(crate) all: usize,
    /// The maximum total bytes of all owners' parked calls and of all calls that wait in sessions.
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
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    calls: ByCall<CountedCall>,
    /// The ids of all counted calls, ordered by expiry. Can also contain ids of finished calls.
    by_expiry: ExpiryQueue<CallId>,
    owners: HashMap<Owner, OwnerUsage>,
    /// The usage of all owners.
    all: OwnerUsage,
    /// The room reserved for admitted calls whose records are not in the ledger yet.
    promised: OwnerUsage,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct OwnerUsage {
    calls: usize,
    bytes: usize,
    /// The number of parked calls that cannot be rebuilt.
    parked: usize,
    /// The bytes of parked calls that cannot be rebuilt, and of calls that wait in sessions.
    parked_bytes: usize,
}

struct CountedCall {
    owner: Option<Owner>,
    bytes: usize,
    spilled: usize,
    expires: Instant,
    is_parked: bool,
    is_recorded: bool,
    /// Whether the call counts against the number of calls. A cancelled call counts only its bytes in the ledger.
    is_open: bool,
}

/// The right of a call to wait for answers, even after its request has ended. If this value is dropped before
/// [`Quotas::keep`] is called, the right is released.
pub(crate) struct Admission {
    quotas: Arc<Quotas>,
    owner: Option<Owner>,
    usage: OwnerUsage,
    /// The part of `usage` that is reserved in the ledger for the call.
    promised: OwnerUsage,
}

/// How much room a call takes at the end of a round, in memory and in the ledger.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptSize {
    /// The bytes of the call's arguments and latest reply.
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
        let mut usage = OwnerUsage::of_call(arguments);
        if is_parked {
            (usage.parked, usage.parked_bytes) = (1, usage.bytes);
        }
        self.take(owner, usage, usage, room)
    }

    /// Admits a call in a session. Such a call has no record in the ledger.
    pub(crate) fn admit_in_session(self: &Arc<Self>, owner: &Owner, arguments: usize) -> Result<Admission, NoCapacity> {
        let usage = OwnerUsage::of_call(arguments);
        let usage = OwnerUsage { parked_bytes: usage.bytes, ..usage };
        self.take(Some(owner), usage, OwnerUsage::default(), || None)
    }

    fn take(
        self: &Arc<Self>,
        owner: Option<&Owner>,
        usage: OwnerUsage,
        promised: OwnerUsage,
        room: impl Fn() -> Option<LedgerCapacity>,
    ) -> Result<Admission, NoCapacity> {
        let mut table = self.table.lock();
        let now = Instant::now();
        table.sweep(now, FEW);
        let mut refused = self.refuses(&table, owner, usage, &room);
        if refused.is_some() && table.sweep(now, usize::MAX) {
            refused = self.refuses(&table, owner, usage, &room);
        }
        if let Some(refused) = refused {
            return Err(refused);
        }
        table.add(owner, usage);
        table.promised += promised;
        Ok(Admission { quotas: Arc::clone(self), owner: owner.cloned(), usage, promised })
    }

    fn refuses(
        &self,
        table: &Table,
        owner: Option<&Owner>,
        more: OwnerUsage,
        room: &impl Fn() -> Option<LedgerCapacity>,
    ) -> Option<NoCapacity> {
        if let Some(own) = owner.and_then(|owner| table.owners.get(owner))
            && (own.calls >= self.limits.calls
                || own.bytes.saturating_add(more.bytes) > self.limits.bytes
                || own.parked + more.parked > self.parkable.each)
        {
            return Some(NoCapacity::Owner);
        }
        let fits = |room: LedgerCapacity| {
            table.promised.calls < room.entries && table.promised.bytes.saturating_add(more.bytes) <= room.bytes
        };
        // If no other call counts in `parked_bytes`, this call can be of any size.
        let parked_bytes = if more.parked_bytes == 0 { 0 } else { table.all.parked_bytes };
        let is_full = table.all.parked + more.parked > self.parkable.all
            || parked_bytes > 0 && parked_bytes.saturating_add(more.parked_bytes) > self.parkable.bytes
            || !room().is_none_or(fits);
        is_full.then_some(NoCapacity::Server)
    }

    /// Sets the room that a call takes now. If another instance admitted the call, the call now also counts against the
    /// quota of its principal in this instance.
    pub(crate) fn keep(
        &self,
        call: CallId,
        admission: Option<Admission>,
        principal: impl FnOnce() -> Option<Owner>,
        holds: KeptSize,
    ) {
        let KeptSize { bytes, spilled, is_parked, is_recorded, keep } = holds;
        let expires = Instant::now() + keep;
        // The lock is held until the end, so that no other call takes the released room first.
        let mut table = self.table.lock();
        let (owner, spilled, is_new) = match (table.remove(call), admission) {
            (Some(entry), _) => (entry.owner, entry.spilled + spilled, false),
            (None, Some(mut admission)) => (table.take_back(&mut admission), spilled, true),
            (None, None) => (principal(), spilled, true),
        };
        let bytes = CALL + bytes + spilled;
        let entry = CountedCall { owner, bytes, spilled, expires, is_parked, is_recorded, is_open: true };
        table.add(entry.owner.as_ref(), entry.usage());
        table.promised += entry.promised();
        if is_new {
            table.by_expiry.push(expires, call);
        }
        table.calls.insert(call, entry);
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
        let stays = |entry: &CountedCall| entry.spilled > 0;
        if is_keyed || self.table.lock().calls.get(&call).is_some_and(stays) {
            return self.keep(call, admission, principal, holds);
        }
        self.table.lock().forget(call);
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
                    let entry = CountedCall { bytes, is_parked, is_recorded, is_open, ..entry };
                    table.add(entry.owner.as_ref(), entry.usage());
                    table.calls.insert(call, entry);
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

impl CountedCall {
    fn usage(&self) -> OwnerUsage {
        let (parked, parked_bytes) = if self.is_parked { (1, self.bytes) } else { (0, 0) };
        OwnerUsage { calls: usize::from(self.is_open), bytes: self.bytes, parked, parked_bytes }
    }

    /// Returns the room to reserve in the ledger until the call has a record.
    fn promised(&self) -> OwnerUsage {
        if self.is_recorded {
            OwnerUsage::default()
        } else {
            OwnerUsage { calls: 1, bytes: CALL, ..OwnerUsage::default() }
        }
    }
}

impl Table {
    /// Adds usage for an owner.
    fn add(&mut self, owner: Option<&Owner>, usage: OwnerUsage) {
        self.all += usage;
        if let Some(owner) = owner {
            match self.owners.get_mut(owner) {
                Some(own) => *own += usage,
                None => drop(self.owners.insert(owner.clone(), usage)),
            }
        }
    }

    fn subtract(&mut self, owner: Option<&Owner>, usage: OwnerUsage) {
        self.all -= usage;
        if let Some(owner) = owner
            && let Some(own) = self.owners.get_mut(owner)
        {
            *own -= usage;
            if *own == OwnerUsage::default() {
                self.owners.remove(owner);
            }
        }
    }

    /// Removes a call from the table. Its id stays in the queue, because the caller may add the call again.
    fn remove(&mut self, call: CallId) -> Option<CountedCall> {
        let entry = self.calls.remove(&call)?;
        self.subtract(entry.owner.as_ref(), entry.usage());
        self.promised -= entry.promised();
        Some(entry)
    }

    /// Removes a call that will not be added again. If most entries of the queue are unused, removes these entries.
    fn forget(&mut self, call: CallId) {
        self.remove(call);
        if self.by_expiry.len() > 2 * self.calls.len() + LARGE {
            self.by_expiry.retain(|call| self.calls.contains_key(call));
        }
    }

    fn take_back(&mut self, admission: &mut Admission) -> Option<Owner> {
        let usage = std::mem::take(&mut admission.usage);
        self.subtract(admission.owner.as_ref(), usage);
        self.promised -= admission.promised;
        admission.owner.take()
    }

    /// Removes at most `most` expired calls. Returns whether a call was removed.
    fn sweep(&mut self, now: Instant, most: usize) -> bool {
        let mut any = false;
        for _ in 0..most {
            let Some(call) = self.by_expiry.pop_due(now) else { break };
            match self.calls.get(&call).map(|entry| entry.expires) {
                Some(later) if now < later => self.by_expiry.push(later, call),
                _ => any |= self.remove(call).is_some(),
            }
        }
        if any && LARGE < self.calls.capacity() && self.calls.len() * 8 < self.calls.capacity() {
            self.calls.shrink_to(self.calls.len() * 2);
            self.by_expiry.shrink_to(self.calls.len() * 2);
        }
        any
    }
}

impl OwnerUsage {
    /// Returns the usage of a new call. `arguments` is the length of its arguments in bytes.
    fn of_call(arguments: usize) -> Self {
        // The arguments can appear again in questions and journals.
        Self { calls: 1, bytes: CALL.saturating_add(arguments.saturating_mul(2)), ..Self::default() }
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

impl Drop for Admission {
    fn drop(&mut self) {
        if self.usage != OwnerUsage::default() {
            let quotas = Arc::clone(&self.quotas);
            quotas.table.lock().take_back(self);
        }
    }
}

impl fmt::Debug for Quotas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Quotas").field("limits", &self.limits).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
