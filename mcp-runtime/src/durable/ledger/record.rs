//! The record of one call, and each way it may change. Pure: no clock, no store.
//!
//! A call goes forward only. Its record is open at a round, then taken up by one holder, who passes it on to the next
//! round, finishes it, or gives it back. Who holds it is a random number in the record: a holder that was overtaken
//! knows by it that the record is not its own any more.

use std::cmp::Ordering;

use crate::call::{ledger_time::LedgerTime, stored::Stored};

/// A reply that is longer is not kept.
pub(crate) const LONGEST_REPLY: usize = 256 * 1024;
/// A step with a longer name is not run.
const LONGEST_NAME: usize = 1024;
/// The steps of a call take no more room than this.
pub(super) const LARGEST_STEPS: usize = 256 * 1024;

/// What is known of a call. `R` holds the bytes of its reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record<R = Stored> {
    pub(super) round: u32,
    pub(super) status: Status,
    /// The last one; none before the first.
    pub(super) reply: Option<Kept<R>>,
    pub(super) steps: Vec<Step>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// The round waits for its request.
    Open,
    /// Somebody has taken it up. When the lease is over, somebody else may.
    Running(Lease),
    /// What must not begin twice has begun. When the lease is over, nobody knows how it went.
    Begun(Lease),
    /// The reply is the result.
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lease {
    pub(super) holder: u64,
    /// By the ledger's time.
    pub(super) until: LedgerTime,
}

/// Something that may have been too large to keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kept<R = Stored> {
    Yes(R),
    No,
}

/// A step of the call that has begun, and its value when it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) name: Box<str>,
    pub(super) value: Option<Kept>,
}

/// What is asked of a record by whoever wants to take a round up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) round: u32,
    /// The round that makes the record: only where it is absent, it may be made.
    pub(super) first: u32,
    /// Whether it may also be made where it is not absent, but of an earlier round.
    pub(super) anywhere: bool,
    /// Whether what has begun may begin again.
    pub(super) again: bool,
}

/// What a record says to that.
#[derive(Debug, PartialEq)]
pub(super) enum Verdict {
    /// It is theirs as soon as this is written.
    Take(Record),
    /// Somebody has it, at least until then.
    Wait { until: LedgerTime },
    /// The call is past this: its latest reply.
    Reply { reply: Stored, done: bool },
    /// The call is past this, and its latest reply was too large.
    NotKept { done: bool },
    /// It has begun, and whoever began it is gone.
    UnknownOutcome,
    /// There should be a record, or a later one.
    Gone,
}

impl Record {
    /// Whether a round can be taken up, by whom this lease names.
    pub(super) fn claim(record: Option<Self>, wanted: Wanted, now: LedgerTime, lease: Lease) -> Verdict {
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

    /// The record of a finished call of which nothing else is known: it is past every round.
    pub(super) fn discarded() -> Self {
        Self { round: u32::MAX, status: Status::Done, reply: Some(Kept::No), steps: Vec::new() }
    }

    fn new(round: u32, lease: Lease) -> Self {
        Self { round, status: Status::Running(lease), reply: None, steps: Vec::new() }
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

    /// The holder begins what must not begin twice.
    pub(super) fn begin(self, lease: Lease) -> Self {
        Self { status: Status::Begun(lease), ..self }
    }

    /// The holder is still at it.
    pub(super) fn renew(self, lease: Lease) -> Self {
        let status = match self.status {
            Status::Begun(_) => Status::Begun(lease),
            _ => Status::Running(lease),
        };
        Self { status, ..self }
    }

    /// The holder gives the round back, as it took it up but for the steps.
    pub(super) fn release(self) -> Self {
        Self { status: Status::Open, ..self }
    }

    /// The holder begins a step.
    pub(super) fn begin_step(mut self, name: &str, lease: Lease) -> Self {
        if self.step(name).is_none() {
            self.steps.push(Step { name: name.into(), value: None });
        }
        self.renew(lease)
    }

    /// Takes the marks of steps back that have not begun after all.
    pub(super) fn without(mut self, marked: &[Box<str>]) -> Self {
        self.steps.retain(|step| step.value.is_some() || !marked.contains(&step.name));
        self
    }

    /// The holder has done a step.
    pub(super) fn end_step(mut self, name: &str, value: Kept, lease: Lease) -> Self {
        match self.steps.iter_mut().find(|step| *step.name == *name) {
            Some(step) => step.value = Some(value),
            None => self.steps.push(Step { name: name.into(), value: Some(value) }),
        }
        self.renew(lease)
    }

    /// The round has ended with this reply, and the next one is open.
    pub(super) fn pass<R>(self, reply: Kept<R>) -> Record<R> {
        Record { round: self.round + 1, status: Status::Open, reply: Some(reply), steps: self.steps }
    }

    /// The call has ended with this reply. What its steps gave is of no use any more.
    pub(super) fn finish<R>(self, reply: Kept<R>) -> Record<R> {
        Record { round: self.round, status: Status::Done, reply: Some(reply), steps: Vec::new() }
    }

    pub(super) fn is_held_by(&self, holder: u64) -> bool {
        matches!(self.status, Status::Running(lease) | Status::Begun(lease) if lease.holder == holder)
    }

    pub(super) fn step(&self, name: &str) -> Option<&Step> {
        self.steps.iter().find(|step| *step.name == *name)
    }

    /// Whether a step of this name may have a value of this length beside the others.
    pub(super) fn has_room_for(&self, name: &str, value: usize) -> bool {
        let others = self.steps.iter().filter(|step| *step.name != *name).map(Step::len).sum::<usize>();
        name.len() <= LONGEST_NAME && others + Step::HEAD + name.len() + value <= LARGEST_STEPS
    }
}

impl Step {
    /// What a step takes beyond its name and its value.
    pub(super) const HEAD: usize = 7;

    pub(super) fn len(&self) -> usize {
        let value = match &self.value {
            Some(Kept::Yes(value)) => value.len(),
            Some(Kept::No) | None => 0,
        };
        Self::HEAD + self.name.len() + value
    }
}
