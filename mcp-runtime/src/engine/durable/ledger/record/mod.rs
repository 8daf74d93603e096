//! The record of one call and its transitions. Each transition is a pure function, which uses no clock and no store.
//!
//! At first a round is open. Then one holder claims it. The holder ends the round and opens the next one, finishes the
//! call, or releases the round. The record names the holder, so that a holder can detect that another one took over its
//! round.

mod entry;
mod format;

use std::{cmp::Ordering, time::Duration};

pub(crate) use self::entry::{RecordEntry, RecordKey, WriteOutcome};
use crate::engine::call::{entry_slice::EntrySlice, ledger_time::LedgerTime};

/// The default duration of a lease. The holder renews it after a third of this time.
pub(crate) const LEASE: Duration = Duration::from_secs(30);

/// The maximum length of a stored reply, in bytes. Longer replies are not stored.
pub(crate) const LONGEST_REPLY: usize = 256 * 1024;
/// The maximum length of a journal, in bytes. A longer journal is not stored in the record.
pub(crate) const LARGEST_JOURNAL: usize = 256 * 1024;
/// The maximum length of a step's name, in bytes. Steps with longer names are not run.
const LONGEST_NAME: usize = 1024;
/// The maximum length of all encoded steps of a call together, in bytes.
pub(crate) const LARGEST_STEPS: usize = 256 * 1024;

/// The record of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) round: u32,
    pub(crate) status: Status,
    /// The latest reply, or `None` before the first reply.
    pub(crate) reply: Option<Kept>,
    /// The journal from which the round can be rebuilt, if the state of the round does not contain it.
    pub(crate) journal: Option<EntrySlice>,
    pub(crate) steps: Vec<StepRecord>,
}

/// The right of one holder to run a round, until a point in time. The holder can renew it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lease {
    pub(crate) holder: u64,
    /// When the lease expires.
    pub(crate) until: LedgerTime,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// The round has not begun, because the server waits for the client's request.
    Open,
    /// A holder runs the round. When the lease has expired, another holder can claim the round.
    Running(Lease),
    /// An effect that must not begin twice has begun. If the lease expires, the outcome is unknown.
    Begun(Lease),
    /// The call is finished, and the reply is its result.
    Done,
}

/// A value that is stored, or a value that was too large to store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    Yes(EntrySlice),
    No,
}

/// A step that has begun. If the step has completed, this holds its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StepRecord {
    pub(crate) name: Box<str>,
    pub(crate) value: Option<Kept>,
}

/// A claim on a round, to be checked against the record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WantedTurn {
    pub(crate) round: u32,
    /// The round that is allowed to create the record.
    pub(crate) first: u32,
    /// Whether any round can create the record, or claim a record that is at an earlier round.
    pub(crate) anywhere: bool,
    /// Whether an effect that has begun can begin again.
    pub(crate) again: bool,
}

/// The result of checking a claim against the record.
#[derive(Debug, PartialEq)]
pub(crate) enum Verdict {
    /// The round can be claimed by writing this record.
    Take(Record),
    /// Another holder runs the round. Its lease ends at `until`, unless it is renewed.
    Wait { until: LedgerTime },
    /// The call has already ended this round. This value holds the call's latest reply.
    Reply { reply: EntrySlice, done: bool },
    /// The call has already ended this round, and its latest reply was too large to store.
    NotKept { done: bool },
    /// An effect that must not begin twice has begun, and then the holder's lease expired.
    UnknownOutcome,
    /// The record is missing, or is at an earlier round than the claim.
    Gone,
}

impl Record {
    /// Checks whether the round in `wanted` can be claimed with this lease.
    pub(crate) fn claim(record: Option<Self>, wanted: WantedTurn, now: LedgerTime, lease: Lease) -> Verdict {
        let Some(record) = record else {
            return if wanted.round == wanted.first || wanted.anywhere {
                Verdict::Take(Self::new(wanted.round, lease))
            } else {
                Verdict::Gone
            };
        };
        match (wanted.round.cmp(&record.round), record.status) {
            (Ordering::Greater, _) if wanted.anywhere => {
                Verdict::Take(Self { round: wanted.round, ..record.running(lease) })
            }
            (Ordering::Greater, _) => Verdict::Gone,
            (Ordering::Less, _) | (Ordering::Equal, Status::Done) => record.latest(),
            (Ordering::Equal, Status::Open) => Verdict::Take(record.running(lease)),
            (Ordering::Equal, Status::Running(Lease { until, .. }) | Status::Begun(Lease { until, .. }))
                if now < until =>
            {
                Verdict::Wait { until }
            }
            (Ordering::Equal, Status::Running(_)) => Verdict::Take(record.running(lease)),
            (Ordering::Equal, Status::Begun(_)) if wanted.again => Verdict::Take(record.running(lease)),
            (Ordering::Equal, Status::Begun(_)) => Verdict::UnknownOutcome,
        }
    }

    /// Returns the record of a finished call whose reply was discarded. A claim of any round finds that the round has
    /// ended.
    pub(crate) fn discarded() -> Self {
        Self { round: u32::MAX, status: Status::Done, reply: Some(Kept::No), journal: None, steps: Vec::new() }
    }

    fn new(round: u32, lease: Lease) -> Self {
        Self { round, status: Status::Running(lease), reply: None, journal: None, steps: Vec::new() }
    }

    fn running(self, lease: Lease) -> Self {
        Self { status: Status::Running(lease), ..self }
    }

    fn latest(self) -> Verdict {
        match self.reply {
            Some(Kept::Yes(reply)) => Verdict::Reply { reply, done: self.status == Status::Done },
            Some(Kept::No) => Verdict::NotKept { done: self.status == Status::Done },
            None => Verdict::Gone,
        }
    }

    /// Marks the beginning of an effect that must not begin twice.
    pub(crate) fn begin(self, lease: Lease) -> Self {
        Self { status: Status::Begun(lease), ..self }
    }

    /// Replaces the lease with this later one.
    pub(crate) fn renew(self, lease: Lease) -> Self {
        let status = match self.status {
            Status::Begun(_) => Status::Begun(lease),
            _ => Status::Running(lease),
        };
        Self { status, ..self }
    }

    /// Releases the round. The record keeps its steps.
    pub(crate) fn release(self) -> Self {
        Self { status: Status::Open, ..self }
    }

    /// Marks the beginning of a step.
    pub(crate) fn begin_step(mut self, name: &str, lease: Lease) -> Self {
        if self.step(name).is_none() {
            self.steps.push(StepRecord { name: name.into(), value: None });
        }
        self.renew(lease)
    }

    /// Removes the steps in `marked` that have no value. The record marks them as begun, but they did not begin.
    pub(crate) fn without(mut self, marked: &[Box<str>]) -> Self {
        self.steps.retain(|step| step.value.is_some() || !marked.contains(&step.name));
        self
    }

    /// Records the output of a step.
    pub(crate) fn end_step(mut self, name: &str, value: Kept, lease: Lease) -> Self {
        match self.steps.iter_mut().find(|step| *step.name == *name) {
            Some(step) => step.value = Some(value),
            None => self.steps.push(StepRecord { name: name.into(), value: Some(value) }),
        }
        self.renew(lease)
    }

    /// Ends the round with this reply, and opens the next round. `journal` is the journal of the next round.
    pub(crate) fn pass(self, reply: Kept, journal: Option<EntrySlice>) -> Self {
        Self { round: self.round + 1, status: Status::Open, reply: Some(reply), journal, steps: self.steps }
    }

    /// Ends the call with this reply. Its journal and the outputs of its steps are dropped.
    pub(crate) fn finish(self, reply: Kept) -> Self {
        Self { round: self.round, status: Status::Done, reply: Some(reply), journal: None, steps: Vec::new() }
    }

    pub(crate) fn is_held_by(&self, holder: u64) -> bool {
        matches!(self.status, Status::Running(lease) | Status::Begun(lease) if lease.holder == holder)
    }

    pub(crate) fn step(&self, name: &str) -> Option<&StepRecord> {
        self.steps.iter().find(|step| *step.name == *name)
    }

    /// Returns whether this step, with a value of this length, fits into the record beside the other steps.
    pub(crate) fn has_room_for(&self, name: &str, value: usize) -> bool {
        let others = self.steps.iter().filter(|step| *step.name != *name).map(StepRecord::len).sum::<usize>();
        name.len() <= LONGEST_NAME && others + StepRecord::HEAD + name.len() + value <= LARGEST_STEPS
    }
}

impl StepRecord {
    /// The bytes that an encoded step takes in addition to its name and value.
    pub(crate) const HEAD: usize = 7;

    pub(crate) fn len(&self) -> usize {
        let value = match &self.value {
            Some(Kept::Yes(value)) => value.len(),
            Some(Kept::No) | None => 0,
        };
        Self::HEAD + self.name.len() + value
    }
}
