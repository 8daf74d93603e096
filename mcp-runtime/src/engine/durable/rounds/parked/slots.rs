//! A bounded table of parked calls with an eviction order.
//!
//! When the table is full, an owner evicts its own entries. Rebuildable entries are evicted first, and older entries
//! before newer ones. An owner without entries evicts an entry of another owner, in the same order.
//!
//! Rebuildable entries have a smaller limit. If such an entry is evicted, its call still works, but takes longer.

use std::{collections::HashMap, sync::Arc};

use super::eviction_order::{EvictionOrder, Loss, QueuedCall};
use crate::engine::{
    call::call_id::{ByCall, CallId},
    durable::ledger::smaller_capacity,
};

/// The owner of a call, or `None` if callers have no identity.
pub(super) type SlotOwner = Option<Arc<str>>;

/// A bounded table with one value for each call.
pub(super) struct Slots<T> {
    most: usize,
    /// The maximum number of entries of one owner. Callers without an identity can use the whole table.
    most_of_owner: usize,
    /// The maximum number of rebuildable entries.
    most_spare: usize,
    by_call: ByCall<OwnedSlot<T>>,
    all: EvictionOrder,
    /// The calls of callers without an identity.
    anonymous: EvictionOrder,
    /// The calls of each owner with an identity.
    owned: HashMap<Arc<str>, EvictionOrder>,
    newest: u64,
}

struct OwnedSlot<T> {
    owner: SlotOwner,
    loss: Loss,
    number: u64,
    value: T,
}

/// Each owner can have at least an eighth of the table.
const SHARE: usize = 8;

impl<T> Slots<T> {
    /// Creates a table for `most` entries, of which `most_spare` are rebuildable. Each owner can have `most_of_owner`
    /// entries, or its share of the table if that is more.
    pub(super) fn new(most: usize, most_spare: usize, most_of_owner: usize) -> Self {
        Self {
            most,
            most_of_owner: most_of_owner.max(most / SHARE),
            most_spare,
            by_call: ByCall::default(),
            all: EvictionOrder::default(),
            anonymous: EvictionOrder::default(),
            owned: HashMap::new(),
            newest: 0,
        }
    }

    /// Inserts a value for a call. Returns the previous value of the call, and the values that were evicted.
    pub(super) fn insert(&mut self, call: CallId, owner: SlotOwner, loss: Loss, value: T) -> [Option<T>; 3] {
        let replaced = self.remove(call);
        let are_enough = loss == Loss::Time && self.most_spare <= self.all.rebuildable();
        let spare = if are_enough { self.first_of(owner.as_ref(), Loss::Time) } else { None };
        let spare = spare.and_then(|call| self.remove(call));
        let given_up = self.next_evicted(owner.as_ref()).and_then(|call| self.remove(call));
        self.newest += 1;
        let number = self.newest;
        let queued = QueuedCall { call, number };
        self.all.push(loss, queued);
        match &owner {
            Some(name) => match self.owned.get_mut(name) {
                Some(own) => own.push(loss, queued),
                None => self.owned.entry(Arc::clone(name)).or_default().push(loss, queued),
            },
            None => self.anonymous.push(loss, queued),
        }
        self.by_call.insert(call, OwnedSlot { owner, loss, number, value });
        [replaced, spare, given_up]
    }

    pub(super) fn get(&self, call: CallId) -> Option<&T> {
        self.by_call.get(&call).map(|entry| &entry.value)
    }

    pub(super) fn get_mut(&mut self, call: CallId) -> Option<&mut T> {
        self.by_call.get_mut(&call).map(|entry| &mut entry.value)
    }

    pub(super) fn remove(&mut self, call: CallId) -> Option<T> {
        let OwnedSlot { owner, loss, value, .. } = self.by_call.remove(&call)?;
        self.note_removed(&owner, loss);
        if let Some(capacity) = smaller_capacity(self.by_call.len(), self.by_call.capacity()) {
            self.by_call.shrink_to(capacity);
        }
        Some(value)
    }

    fn note_removed(&mut self, owner: &SlotOwner, loss: Loss) {
        let is_present = is_present(&self.by_call);
        self.all.removed(loss, &is_present);
        match owner {
            Some(name) => {
                if let Some(own) = self.owned.get_mut(name) {
                    own.removed(loss, &is_present);
                    if own.len() == 0 {
                        self.owned.remove(name);
                    }
                }
            }
            None => self.anonymous.removed(loss, &is_present),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (CallId, &T)> {
        self.by_call.iter().map(|(call, entry)| (*call, &entry.value))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_call.is_empty()
    }

    /// Returns the call to evict before a new entry of this owner is inserted, or `None` if there is room.
    fn next_evicted(&mut self, owner: Option<&Arc<str>>) -> Option<CallId> {
        let is_full = |name| self.owned.get(name).is_some_and(|own| self.most_of_owner <= own.len());
        if self.by_call.len() < self.most && !owner.is_some_and(is_full) {
            return None;
        }
        self.first_of(owner, Loss::Call)
    }

    /// Returns the call that this owner must evict first, if its loss is at most `loss`. If there is no such call,
    /// returns the first call in the eviction order of all owners.
    fn first_of(&mut self, owner: Option<&Arc<str>>, loss: Loss) -> Option<CallId> {
        let is_present = is_present(&self.by_call);
        let own = match owner {
            Some(name) => self.owned.get_mut(name),
            None => Some(&mut self.anonymous),
        };
        let own = own.and_then(|own| own.first(loss, &is_present));
        own.or_else(|| self.all.first(Loss::Call, &is_present))
    }
}

/// Returns a function that checks whether a queued call is still in the table.
fn is_present<T>(by_call: &ByCall<OwnedSlot<T>>) -> impl Fn(QueuedCall) -> bool {
    move |QueuedCall { call, number }| by_call.get(&call).is_some_and(|entry| entry.number == number)
}

#[cfg(test)]
impl<T> Slots<T> {
    /// Asserts that the orders, the counts and the limits agree.
    pub(super) fn check(&self) {
        assert!(self.by_call.len() <= self.most && self.all.rebuildable() <= self.most_spare);
        let own = |owner: Option<&Arc<str>>| owner.map_or(Some(&self.anonymous), |name| self.owned.get(name));
        let entries = |of: &dyn Fn(&OwnedSlot<T>) -> bool| {
            let entries = self.by_call.iter().filter(|(_, entry)| of(entry));
            let mut entries: Vec<_> = entries.map(|(call, entry)| (entry.loss, entry.number, *call)).collect();
            entries.sort_unstable();
            entries.into_iter().map(|(_, _, call)| call).collect::<Vec<_>>()
        };
        assert_eq!(self.all.calls(is_present(&self.by_call)), entries(&|_| true));
        assert_eq!(own(None).unwrap().calls(is_present(&self.by_call)), entries(&|entry| entry.owner.is_none()));
        for (name, order) in &self.owned {
            let owned = entries(&|entry| entry.owner.as_ref() == Some(name));
            assert_eq!(order.calls(is_present(&self.by_call)), owned);
            assert!((1..=self.most_of_owner).contains(&owned.len()));
        }
        assert!(self.by_call.values().all(|entry| own(entry.owner.as_ref()).is_some()));
    }
}
