//! Entries that clients cause, such as open calls, with bounds in number and in bytes, for each owner and in all.
//!
//! An owner that reaches its own bound loses its own entries, or is refused. If the bound over all is reached, the owner
//! that holds most loses its oldest entry, and never to an owner that then holds more. So an owner that holds little
//! keeps it, whatever other owners do, and however many owners a client invents.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap},
    hash::Hash,
};

/// A number of entries, and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Amount {
    pub(crate) number: usize,
    pub(crate) bytes: usize,
}

/// The bounds for one owner, and for all owners together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AmountLimits {
    pub(crate) each: Amount,
    pub(crate) all: Amount,
}

/// The measure of a bound that is exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    Number,
    Bytes,
}

/// Entries of type `T`, each with an owner of type `K`. An entry is identified by a number; later entries have larger
/// numbers.
pub(crate) struct OwnedEntries<K, T> {
    limits: AmountLimits,
    entries: BTreeMap<u64, OwnedEntry<K, T>>,
    owners: foldhash::HashMap<K, OwnerEntries>,
    all: Amount,
    next: u64,
}

struct OwnedEntry<K, T> {
    owner: K,
    amount: Amount,
    value: T,
}

#[derive(Default)]
struct OwnerEntries {
    held: Amount,
    entries: BTreeSet<u64>,
}

impl<K: Clone + Eq + Hash, T> OwnedEntries<K, T> {
    pub(crate) fn new(limits: AmountLimits) -> Self {
        Self { limits, entries: BTreeMap::new(), owners: foldhash::HashMap::default(), all: Amount::default(), next: 0 }
    }

    /// Adds an entry, even if this exceeds a bound.
    pub(crate) fn insert(&mut self, owner: K, amount: Amount, value: T) -> u64 {
        let id = self.next;
        self.next += 1;
        let own = self.owners.entry(owner.clone()).or_default();
        own.held = own.held.plus(amount);
        own.entries.insert(id);
        self.all = self.all.plus(amount);
        self.entries.insert(id, OwnedEntry { owner, amount, value });
        id
    }

    pub(crate) fn remove(&mut self, id: u64) -> Option<T> {
        let OwnedEntry { owner, amount, value } = self.entries.remove(&id)?;
        self.all = self.all.minus(amount);
        if let Some(own) = self.owners.get_mut(&owner) {
            own.held = own.held.minus(amount);
            own.entries.remove(&id);
            if own.entries.is_empty() {
                self.owners.remove(&owner);
            }
        }
        Some(value)
    }

    /// Sets what an entry holds now, even if this exceeds a bound.
    pub(crate) fn resize(&mut self, id: u64, amount: Amount) {
        let Some(entry) = self.entries.get_mut(&id) else { return };
        let before = std::mem::replace(&mut entry.amount, amount);
        self.all = self.all.minus(before).plus(amount);
        if let Some(own) = self.owners.get_mut(&entry.owner) {
            own.held = own.held.minus(before).plus(amount);
        }
    }

    /// Returns the entries of an owner, oldest first.
    pub(crate) fn of<'a>(&'a self, owner: &K) -> impl Iterator<Item = &'a T> {
        let ids = self.owners.get(owner).into_iter().flat_map(|own| &own.entries);
        ids.filter_map(|id| self.entries.get(id)).map(|entry| &entry.value)
    }

    /// Returns all entries, oldest first.
    pub(crate) fn values(&self) -> impl Iterator<Item = &T> {
        self.entries.values().map(|entry| &entry.value)
    }

    /// Returns the oldest entry of all owners.
    pub(crate) fn oldest(&self) -> Option<(u64, &T)> {
        self.entries.first_key_value().map(|(id, entry)| (*id, &entry.value))
    }

    /// Returns the bound of the owner that `more` would exceed.
    pub(crate) fn excess_of(&self, owner: &K, more: Amount) -> Option<Measure> {
        self.held_by(owner).plus(more).exceeds(self.limits.each)
    }

    /// Removes the oldest entry of the owner.
    pub(crate) fn remove_oldest_of(&mut self, owner: &K) -> Option<T> {
        let oldest = *self.owners.get(owner)?.entries.first()?;
        self.remove(oldest)
    }

    /// While the bound over all is exceeded, removes the oldest entry of the owner that holds most. Returns the entries
    /// that were removed. Entries for which `can_go` returns `false` stay.
    pub(crate) fn shrink(&mut self, can_go: impl Fn(&T) -> bool) -> Vec<T> {
        let gone = match self.all.exceeds(self.limits.all) {
            Some(measure) => self.plan(measure, Amount::default(), None, can_go).0,
            None => Vec::new(),
        };
        gone.into_iter().filter_map(|id| self.remove(id)).collect()
    }

    /// Makes room for an entry of this owner under the bound over all. Other owners that hold more lose their oldest
    /// entries for which `can_go` returns `true`, as long as none of them then holds less than this owner. Returns the
    /// entries that were removed.
    ///
    /// # Errors
    /// If this makes not enough room, removes nothing and returns the bound.
    pub(crate) fn make_room(
        &mut self,
        owner: &K,
        more: Amount,
        can_go: impl Fn(&T) -> bool,
    ) -> Result<Vec<T>, Measure> {
        let Some(measure) = self.all.plus(more).exceeds(self.limits.all) else { return Ok(Vec::new()) };
        let (gone, is_enough) = self.plan(measure, more, Some(owner), can_go);
        if !is_enough {
            return Err(measure);
        }
        Ok(gone.into_iter().filter_map(|id| self.remove(id)).collect())
    }

    /// Returns the entries that must go so that `more` fits, and whether this is enough. `by` is the owner of `more`,
    /// who must not hold more than an owner that loses an entry.
    fn plan(&self, measure: Measure, more: Amount, by: Option<&K>, can_go: impl Fn(&T) -> bool) -> (Vec<u64>, bool) {
        let floor = by.map_or(0, |by| self.held_by(by).plus(more).of(measure));
        let mut all = self.all.plus(more);
        let owners: Vec<_> =
            self.owners.iter().filter(|(owner, own)| by != Some(owner) && own.held.of(measure) > floor).collect();
        // Of owners that hold the same, the one with the oldest entry comes first.
        let rank = |held: Amount, place: usize| (held.of(measure), Reverse(owners[place].1.entries.first()));
        let mut heap: BinaryHeap<_> =
            owners.iter().enumerate().map(|(place, (_, own))| (rank(own.held, place), place)).collect();
        let mut left: Vec<_> = owners.iter().map(|(_, own)| (own.held, own.entries.iter())).collect();
        let mut gone = Vec::new();
        while all.exceeds(self.limits.all).is_some() {
            let Some((_, place)) = heap.pop() else { return (gone, false) };
            let (held, entries) = &mut left[place];
            let next = entries
                .find_map(|id| self.entries.get(id).filter(|entry| can_go(&entry.value)).map(|entry| (*id, entry)));
            let Some((id, OwnedEntry { amount, .. })) = next else { continue };
            let rest = held.minus(*amount);
            if rest.of(measure) < floor {
                continue;
            }
            (*held, all) = (rest, all.minus(*amount));
            gone.push(id);
            heap.push((rank(rest, place), place));
        }
        (gone, true)
    }

    fn held_by(&self, owner: &K) -> Amount {
        self.owners.get(owner).map_or_else(Amount::default, |own| own.held)
    }
}

impl Amount {
    /// Returns one entry with these bytes.
    pub(crate) const fn one(bytes: usize) -> Self {
        Self { number: 1, bytes }
    }

    pub(crate) fn times(self, factor: usize) -> Self {
        Self { number: self.number.saturating_mul(factor), bytes: self.bytes.saturating_mul(factor) }
    }

    fn plus(self, more: Self) -> Self {
        Self { number: self.number.saturating_add(more.number), bytes: self.bytes.saturating_add(more.bytes) }
    }

    fn minus(self, less: Self) -> Self {
        Self { number: self.number.saturating_sub(less.number), bytes: self.bytes.saturating_sub(less.bytes) }
    }

    fn of(self, measure: Measure) -> usize {
        match measure {
            Measure::Number => self.number,
            Measure::Bytes => self.bytes,
        }
    }

    /// Returns the measure in which this amount is larger than `limit`.
    fn exceeds(self, limit: Self) -> Option<Measure> {
        match (self.number > limit.number, self.bytes > limit.bytes) {
            (true, _) => Some(Measure::Number),
            (_, true) => Some(Measure::Bytes),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
