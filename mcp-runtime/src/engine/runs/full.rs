//! Why a run cannot begin: the limits of open runs are reached.

use super::{RunInsertion, RunLimits};

/// A limit that a new run would exceed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FullRuns {
    pub(super) reached: RunInsertion,
    pub(super) limits: RunLimits,
    /// The bytes of the new run.
    pub(super) bytes: u64,
}

impl FullRuns {
    /// Returns whether the owner of the run has reached a limit. Otherwise, all owners together have.
    pub(crate) fn is_of_owner(&self) -> bool {
        matches!(self.reached, RunInsertion::OwnerRuns | RunInsertion::OwnerBytes)
    }

    /// Says which limit is reached, and what to do. `what` is what clients call runs, such as "runs". `wait` says how a
    /// client waits for the end of a run.
    pub(crate) fn message(&self, what: &str, wait: &str) -> String {
        let Self { limits: RunLimits { per_owner, total }, bytes, .. } = self;
        match self.reached {
            RunInsertion::OwnerBytes => format!(
                "your open {what} can have {} bytes together, and this one needs {bytes}; send less data, {wait}, or \
                 cancel one",
                per_owner.bytes
            ),
            RunInsertion::TotalRuns => {
                format!("this server has {} open {what}, which is the limit; try again later", total.runs)
            }
            RunInsertion::TotalBytes => format!(
                "the open {what} of this server can have {} bytes together, and this one needs {bytes}; try again \
                 later",
                total.bytes
            ),
            RunInsertion::OwnerRuns | RunInsertion::Stored => {
                format!("you have {} open {what}, which is the limit; {wait}, or cancel one", per_owner.runs)
            }
        }
    }
}
