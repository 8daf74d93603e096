//! How many runs a store keeps, and how many bytes they take: for each owner, and for all owners together.

use super::RunRecord;

/// A number of runs, and how many bytes they take together. See [`RunRecord::bytes`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunQuota {
    /// The number of runs.
    pub runs: usize,
    /// The number of bytes.
    pub bytes: u64,
}

/// The limits for the runs of one tool. [`Runs`](super::Runs) has limits for the open runs, and limits for the runs that
/// have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunLimits {
    /// The limit for each owner. All runs without an owner count as the runs of one owner.
    pub per_owner: RunQuota,
    /// The limit for all owners together.
    pub total: RunQuota,
}

/// The result of [`RunStore::insert`](super::RunStore::insert).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunInsertion {
    /// The record is stored.
    Stored,
    /// The record is not stored, because its owner has as many open runs as the limit allows.
    OwnerRuns,
    /// The record is not stored, because the open runs of its owner would take too many bytes.
    OwnerBytes,
    /// The record is not stored, because there are as many open runs as the limit allows.
    TotalRuns,
    /// The record is not stored, because all open runs together would take too many bytes.
    TotalBytes,
}

impl RunInsertion {
    /// Returns the result with this name. Stores whose scripts insert a run use these names.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name {
            "stored" => Some(Self::Stored),
            "owner_runs" => Some(Self::OwnerRuns),
            "owner_bytes" => Some(Self::OwnerBytes),
            "total_runs" => Some(Self::TotalRuns),
            "total_bytes" => Some(Self::TotalBytes),
            _ => None,
        }
    }
}

impl RunQuota {
    /// Adds the run to the quantity.
    pub fn add(&mut self, run: &RunRecord) {
        self.runs += 1;
        self.bytes = self.bytes.saturating_add(run.bytes);
    }

    /// Subtracts a run that was added.
    pub(super) fn remove(&mut self, run: &RunRecord) {
        self.runs -= 1;
        self.bytes = self.bytes.saturating_sub(run.bytes);
    }

    pub(super) fn fits(self, limit: Self) -> bool {
        self.runs <= limit.runs && self.bytes <= limit.bytes
    }
}

impl RunLimits {
    /// Decides whether a new run of this many bytes can be stored. `owner` is what the owner's open runs of the tool take,
    /// and `total` is what all open runs of the tool take.
    pub fn admit(&self, bytes: u64, owner: RunQuota, total: RunQuota) -> RunInsertion {
        if owner.runs >= self.per_owner.runs {
            RunInsertion::OwnerRuns
        } else if owner.bytes.saturating_add(bytes) > self.per_owner.bytes {
            RunInsertion::OwnerBytes
        } else if total.runs >= self.total.runs {
            RunInsertion::TotalRuns
        } else if total.bytes.saturating_add(bytes) > self.total.bytes {
            RunInsertion::TotalBytes
        } else {
            RunInsertion::Stored
        }
    }

    /// Returns the most bytes that one run can take.
    pub(super) fn of_one_run(&self) -> u64 {
        self.per_owner.bytes.min(self.total.bytes)
    }

    /// Returns whether this is at least a sixteenth of one of the limits.
    pub(super) fn is_sixteenth(&self, quantity: RunQuota) -> bool {
        [self.per_owner, self.total]
            .iter()
            .any(|limit| quantity.runs >= limit.runs.div_ceil(16) || quantity.bytes >= limit.bytes.div_ceil(16))
    }
}
