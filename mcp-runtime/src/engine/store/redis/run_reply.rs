//! The replies of the scripts of the runs.

use super::scripts::{ReadReply, ReplyValues, number, text};
use crate::engine::runs::{InstanceBeat, RunInsertion, RunRecord, RunStatus};

pub(super) enum RunReply {
    Stored,
    /// A run with this id exists.
    Exists,
    Refused(RunInsertion),
    /// The version is not the stored one, or there is no run.
    Conflict,
    Runs(RunPage),
    Beats(Vec<InstanceBeat>),
    Removed {
        runs: usize,
        /// Whether the script stopped because it had removed as many as it may.
        has_more: bool,
    },
}

/// A part of a list of runs.
pub(super) struct RunPage {
    pub(super) runs: Vec<RunRecord>,
    /// Where the next part begins. Empty at the end of the list.
    pub(super) next: Vec<u8>,
}

impl ReadReply for RunReply {
    fn read(name: &[u8], values: &mut ReplyValues<'_>) -> Option<Self> {
        Some(match name {
            b"stored" => Self::Stored,
            b"exists" => Self::Exists,
            b"owner_runs" => Self::Refused(RunInsertion::OwnerRuns),
            b"owner_bytes" => Self::Refused(RunInsertion::OwnerBytes),
            b"total_runs" => Self::Refused(RunInsertion::TotalRuns),
            b"total_bytes" => Self::Refused(RunInsertion::TotalBytes),
            b"conflict" => Self::Conflict,
            b"runs" => {
                let (next, mut runs) = (values()?, Vec::new());
                while let Some(id) = values() {
                    runs.push(record(id, values)?);
                }
                Self::Runs(RunPage { runs, next })
            }
            b"beats" => {
                let mut beats = Vec::new();
                while let Some(instance) = values() {
                    beats.push(InstanceBeat { instance: text(instance)?, count: number(&values()?)? });
                }
                Self::Beats(beats)
            }
            b"removed" => {
                let runs = usize::try_from(number(&values()?)?).ok()?;
                Self::Removed { runs, has_more: !values()?.is_empty() }
            }
            _ => return None,
        })
    }
}

fn record(id: Vec<u8>, values: &mut ReplyValues<'_>) -> Option<RunRecord> {
    let mut value = || text(values()?);
    Some(RunRecord {
        id: text(id)?,
        tool: value()?,
        action: value()?,
        owner: value()?.strip_prefix('=').map(str::to_owned),
        status: RunStatus::from_name(&value()?)?,
        instance: value()?,
        created_at: value()?.parse().ok()?,
        updated_at: value()?.parse().ok()?,
        version: value()?.parse().ok()?,
        bytes: value()?.parse().ok()?,
        details: value()?.into(),
    })
}
