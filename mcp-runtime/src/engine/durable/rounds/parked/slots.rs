//! A bounded table of parked calls with an eviction order.
//!
//! When the table is full, an owner evicts its own entries. Rebuildable entries are evicted first, and older entries
//! before newer ones. An owner without entries evicts an entry of another owner, in the same order.
//!
//! Rebuildable entries have a smaller limit. If such an entry is evicted, its call still works, but takes longer.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

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
    spare: usize,
    by_call: ByCall<OwnedSlot<T>>,
    /// The entries of each owner, in eviction order.
    by_owner: BTreeMap<(SlotOwner, Loss, u64), CallId>,
    /// All entries in eviction order.
    by_age: BTreeMap<(Loss, u64), CallId>,
    /// The number of entries of each owner with an identity.
    owned: HashMap<Arc<str>, usize>,
    newest: u64,
}

/// What is lost when an entry is evicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Loss {
    /// Eviction costs only time, because the call can be rebuilt from the state that its client has.
    Time,
    Call,
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
    pub(super) fn new(most: usize, most_spare: usize) -> Self {
        Self {
            most,
            most_of_owner: most / SHARE,
            most_spare,
            spare: 0,
            by_call: ByCall::default(),
            by_owner: BTreeMap::new(),
            by_age: BTreeMap::new(),
            owned: HashMap::new(),
            newest: 0,
        }
    }

    /// Lets each owner have this many entries, because no call that was admitted may be evicted.
    pub(super) fn allow_each(&mut self, entries: usize) {
        self.most_of_owner = entries.max(self.most / SHARE);
    }

    /// Inserts a value for a call. Returns the previous value of the call, and the values that were evicted.
    pub(super) fn insert(&mut self, call: CallId, owner: SlotOwner, loss: Loss, value: T) -> [Option<T>; 3] {
        let replaced = self.remove(call);
        let are_enough = loss == Loss::Time && self.most_spare <= self.spare;
        let spare = if are_enough { self.first_of(&owner, Loss::Time) } else { None };
        let spare = spare.and_then(|call| self.remove(call));
        let given_up = self.to_evict(&owner).and_then(|call| self.remove(call));
        self.newest += 1;
        self.spare += usize::from(loss == Loss::Time);
        let number = self.newest;
        if let Some(name) = &owner {
            *self.owned.entry(Arc::clone(name)).or_default() += 1;
        }
        self.by_owner.insert((owner.clone(), loss, number), call);
        self.by_age.insert((loss, number), call);
        self.by_call.insert(call, OwnedSlot { owner, loss, number, value });
        [replaced, spare, given_up]
    }

    #[cfg(test)]
    pub(super) fn get(&self, call: CallId) -> Option<&T> {
        self.by_call.get(&call).map(|entry| &entry.value)
    }

    pub(super) fn get_mut(&mut self, call: CallId) -> Option<&mut T> {
        self.by_call.get_mut(&call).map(|entry| &mut entry.value)
    }

    pub(super) fn remove(&mut self, call: CallId) -> Option<T> {
        let OwnedSlot { owner, loss, number, value } = self.by_call.remove(&call)?;
        self.spare -= usize::from(loss == Loss::Time);
        if let Some(name) = &owner
            && let Some(count) = self.owned.get_mut(name)
        {
            *count -= 1;
            if *count == 0 {
                self.owned.remove(name);
            }
        }
        self.by_owner.remove(&(owner, loss, number));
        self.by_age.remove(&(loss, number));
        if let Some(capacity) = smaller_capacity(self.by_call.len(), self.by_call.capacity()) {
            self.by_call.shrink_to(capacity);
        }
        Some(value)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (CallId, &T)> {
        self.by_call.iter().map(|(call, entry)| (*call, &entry.value))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_call.is_empty()
    }

    /// Returns the call to evict before a new entry of this owner is inserted, or `None` if there is room.
    fn to_evict(&self, owner: &SlotOwner) -> Option<CallId> {
        let is_full = |name| self.owned.get(name).is_some_and(|own| self.most_of_owner <= *own);
        if self.by_call.len() < self.most && !owner.as_ref().is_some_and(is_full) {
            return None;
        }
        self.first_of(owner, Loss::Call)
    }

    /// Returns the call that this owner must evict first, if its loss is at most `loss`. If there is no such call,
    /// returns the first call in the eviction order of all owners.
    fn first_of(&self, owner: &SlotOwner, loss: Loss) -> Option<CallId> {
        let own = (owner.clone(), Loss::Time, 0)..=(owner.clone(), loss, u64::MAX);
        let own = self.by_owner.range(own).next().map(|(_, call)| call);
        own.or_else(|| self.by_age.first_key_value().map(|(_, call)| call)).copied()
    }
}

#[cfg(test)]
impl<T> Slots<T> {
    /// Asserts that the indices, the counts and the limits agree.
    pub(super) fn check(&self) {
        assert!(self.by_call.len() <= self.most);
        let spare = self.by_call.values().filter(|entry| entry.loss == Loss::Time).count();
        assert_eq!(spare, self.spare);
        assert!(spare <= self.most_spare);
        assert_eq!((self.by_owner.len(), self.by_age.len()), (self.by_call.len(), self.by_call.len()));
        for (call, OwnedSlot { owner, loss, number, .. }) in &self.by_call {
            assert_eq!(self.by_owner.get(&(owner.clone(), *loss, *number)), Some(call));
            assert_eq!(self.by_age.get(&(*loss, *number)), Some(call));
        }
        for (name, count) in &self.owned {
            let owned = self.by_call.values().filter(|entry| entry.owner.as_ref() == Some(name)).count();
            assert_eq!(owned, *count);
            assert!((1..=self.most_of_owner).contains(count));
        }
    }
}
