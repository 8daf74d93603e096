//! What the runs of one tool take, and which of them exceed the limits.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap, HashMap, btree_set::Iter},
    iter::Peekable,
    sync::Arc,
};

use crate::engine::runs::{RunInsertion, RunLimits, RunQuota, RunRecord};

/// The runs of one tool.
#[derive(Debug, Default)]
pub(super) struct ToolRuns {
    open: RunQuota,
    owners: HashMap<Option<String>, OwnerRuns>,
}

/// The runs of one owner.
#[derive(Debug, Default)]
struct OwnerRuns {
    open: RunQuota,
    ended: BTreeSet<EndedRun>,
}

/// A run that has ended: when it was last written, its id, and its bytes. The oldest is first.
type EndedRun = (u64, Arc<str>, u64);

impl ToolRuns {
    /// Decides whether a new run can be stored.
    pub(super) fn admit(&self, run: &RunRecord, limits: RunLimits) -> RunInsertion {
        let of_owner = self.owners.get(&run.owner).map(|owner| owner.open).unwrap_or_default();
        limits.admit(run.bytes, of_owner, self.open)
    }

    pub(super) fn add(&mut self, run: &RunRecord, id: &Arc<str>) {
        let owner = match self.owners.get_mut(&run.owner) {
            Some(owner) => owner,
            None => self.owners.entry(run.owner.clone()).or_default(),
        };
        if run.status.is_open() {
            self.open.add(run);
            owner.open.add(run);
        } else {
            owner.ended.insert((run.updated_at, Arc::clone(id), run.bytes));
        }
    }

    /// Counts a run as it is now, and not as it was before. Its owner stays the same.
    pub(super) fn replace(&mut self, before: &RunRecord, now: &RunRecord, id: &Arc<str>) {
        self.subtract(before, id);
        self.add(now, id);
    }

    pub(super) fn remove(&mut self, run: &RunRecord, id: &Arc<str>) {
        self.subtract(run, id);
        if self.owners.get(&run.owner).is_some_and(|owner| owner.open.runs == 0 && owner.ended.is_empty()) {
            self.owners.remove(&run.owner);
        }
    }

    fn subtract(&mut self, run: &RunRecord, id: &Arc<str>) {
        let Some(owner) = self.owners.get_mut(&run.owner) else { return };
        if run.status.is_open() {
            self.open.remove(run);
            owner.open.remove(run);
        } else {
            owner.ended.remove(&(run.updated_at, Arc::clone(id), run.bytes));
        }
    }

    /// Returns the runs that [`RunStore::remove_ended`](crate::engine::runs::RunStore::remove_ended) removes.
    pub(super) fn excess(&self, before: u64, limits: RunLimits) -> Vec<Arc<str>> {
        let mut removed = Vec::new();
        let mut kept: Vec<_> = self.owners.values().map(|owner| KeptRuns::new(&owner.ended)).collect();
        for owner in &mut kept {
            while let Some((updated_at, ..)) = owner.oldest()
                && (*updated_at < before || !owner.quota.fits(limits.per_owner))
            {
                removed.extend(owner.remove_oldest());
            }
        }
        let runs = |owner: &KeptRuns<'_>| owner.quota.runs as u64;
        remove_from_largest(&mut kept, runs, limits.total.runs as u64, &mut removed);
        remove_from_largest(&mut kept, |owner| owner.quota.bytes, limits.total.bytes, &mut removed);
        removed
    }
}

/// The runs of one owner that have ended, without those that exceed a limit.
struct KeptRuns<'a> {
    runs: Peekable<Iter<'a, EndedRun>>,
    quota: RunQuota,
}

impl<'a> KeptRuns<'a> {
    fn new(ended: &'a BTreeSet<EndedRun>) -> Self {
        let bytes = ended.iter().map(|(.., bytes)| bytes).fold(0, |all: u64, bytes| all.saturating_add(*bytes));
        Self { runs: ended.iter().peekable(), quota: RunQuota { runs: ended.len(), bytes } }
    }

    fn oldest(&mut self) -> Option<&'a EndedRun> {
        self.runs.peek().copied()
    }

    fn remove_oldest(&mut self) -> Option<Arc<str>> {
        let (_, id, bytes) = self.runs.next()?;
        self.quota = RunQuota { runs: self.quota.runs - 1, bytes: self.quota.bytes.saturating_sub(*bytes) };
        Some(Arc::clone(id))
    }
}

/// The owner with the most loses its oldest run, until all owners together have at most `most`.
fn remove_from_largest(
    kept: &mut [KeptRuns<'_>],
    size: impl Fn(&KeptRuns<'_>) -> u64,
    most: u64,
    removed: &mut Vec<Arc<str>>,
) {
    let mut total = kept.iter().map(&size).fold(0, u64::saturating_add);
    if total <= most {
        return;
    }
    let mut largest = BinaryHeap::with_capacity(kept.len());
    for (index, owner) in kept.iter_mut().enumerate() {
        largest.extend(owner.oldest().map(|oldest| (size(owner), Reverse(oldest), index)));
    }
    while total > most
        && let Some((before, _, index)) = largest.pop()
    {
        let owner = &mut kept[index];
        removed.extend(owner.remove_oldest());
        total = total.saturating_sub(before - size(owner));
        largest.extend(owner.oldest().map(|oldest| (size(owner), Reverse(oldest), index)));
    }
}
