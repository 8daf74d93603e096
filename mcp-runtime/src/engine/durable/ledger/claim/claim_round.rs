//! The claim of a round, which waits while another request holds the round.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use tokio::time::Instant;

use super::{
    claims::{Claims, RACES, Turn},
    round_lease::Claim,
    state::ClaimState,
    waiters::WaitSlot,
};
use crate::engine::{
    call::{entry_slice::EntrySlice, lease::LedgerError, ledger_time::LedgerTime},
    durable::ledger::{
        MemoryLedger,
        record::{Kept, Lease, Record, RecordKey, Verdict, WantedTurn, WriteOutcome},
    },
};

/// How long a request waits while another request holds the round.
const PATIENCE: Duration = Duration::from_secs(30);
/// A waiting request reads the record again and again. These are the first and the longest interval between two reads.
const FIRST_LOOK: Duration = Duration::from_millis(20);
const LAST_LOOK: Duration = Duration::from_secs(1);

/// The result of claiming a round.
#[derive(Debug)]
pub(crate) enum ClaimOutcome {
    /// Run the round under this claim.
    Run(Arc<Claim>),
    /// The round is open, but this process cannot run it. Nothing was claimed.
    NotHere,
    /// The call has already ended this round. This value holds the call's latest reply.
    Reply(EntrySlice),
    /// The call has already ended this round, but its latest reply is not available. `done` is set if the call is
    /// finished.
    NotKept { done: bool },
    /// An effect that must not begin twice has begun, and then the holder's lease expired.
    UnknownOutcome,
    /// The state has expired, or the ledger has lost the call's record or the latest changes to it.
    Gone,
    /// Another request holds the round and did not end it in time. Nothing was changed, so the same request can be
    /// retried.
    Busy { retry_after: Duration },
}

/// The result of one attempt to claim a round.
enum Attempt {
    Ended(ClaimOutcome),
    /// Another request holds the round. Its lease ends after this time, unless it is renewed.
    Wait(Duration),
}

impl Claims {
    /// Claims the round, or returns why the round cannot be claimed. Waits while another request holds the round.
    ///
    /// `can_run` returns whether this process can run the round. It is called directly before a claim. A request for an
    /// ended round gets the recorded reply even if `can_run` returns `false`. If this function returns an error, no
    /// effect has begun, so the request can be retried.
    pub(crate) async fn claim_round(
        self: &Arc<Self>,
        turn: Turn,
        can_run: impl Fn() -> bool,
    ) -> Result<ClaimOutcome, LedgerError> {
        let mut waiting: Option<(WaitSlot<'_>, Instant)> = None;
        let mut look = FIRST_LOOK;
        loop {
            let left = match self.try_claim(&turn, &can_run, waiting.is_none()).await? {
                Attempt::Ended(outcome) => return Ok(outcome),
                Attempt::Wait(left) => left,
            };
            let now = Instant::now();
            match &mut waiting {
                Some((_, patience)) if *patience <= now => return Ok(busy(left)),
                Some((slot, patience)) => {
                    slot.change(look.min(left).min(*patience - now)).await;
                    look = (look * 2).min(LAST_LOOK);
                }
                // The record may have changed before the request began to wait: try again at once.
                None => match self.waiting.enter(turn.key.call) {
                    Some(slot) => waiting = Some((slot, now + PATIENCE)),
                    None => return Ok(busy(left)),
                },
            }
        }
    }

    /// Tries to claim the round. `is_first` is set for the first attempt of a request.
    async fn try_claim(
        self: &Arc<Self>,
        turn: &Turn,
        can_run: &impl Fn() -> bool,
        is_first: bool,
    ) -> Result<Attempt, LedgerError> {
        match &self.memory {
            Some(memory) => self.try_in_memory(memory, turn, can_run),
            // Boxed, so that the futures of calls are small if their ledger is in memory.
            None => Box::pin(self.try_by_swap(turn, can_run, is_first)).await,
        }
    }

    /// Tries to claim the round in place.
    fn try_in_memory(
        self: &Arc<Self>,
        memory: &MemoryLedger,
        turn: &Turn,
        can_run: &impl Fn() -> bool,
    ) -> Result<Attempt, LedgerError> {
        let (holder, mut at) = (self.next_holder(), LedgerTime::default());
        #[expect(clippy::result_large_err, reason = "the verdict is moved once, and is matched at once")]
        let claim = |record: Option<Record>, now: LedgerTime| {
            at = now;
            match verdict(record, turn, now, self.lease_from(now, holder)) {
                Verdict::Take(record) if can_run() => Ok(record),
                verdict => Err(verdict),
            }
        };
        let write = || memory.change_record(turn.key, turn.keep, turn.expires, claim);
        let claimed = self.written_in_memory(write, |_| false)?;
        self.skew.look(at);
        Ok(match claimed {
            Ok(()) => {
                let state = ClaimState::in_memory(Arc::clone(self), turn, holder, memory);
                Attempt::Ended(ClaimOutcome::Run(Arc::new(Claim::new(state))))
            }
            Err(verdict) => self.not_taken(turn, verdict, at),
        })
    }

    /// Tries to claim the round with a compare-and-swap. Tries again if another request changes the record first.
    async fn try_by_swap(
        self: &Arc<Self>,
        turn: &Turn,
        can_run: &impl Fn() -> bool,
        is_first: bool,
    ) -> Result<Attempt, LedgerError> {
        // Most first rounds are claimed by the first request that names them, so the read is skipped.
        let is_new = is_first && turn.round == turn.first && can_run();
        let mut entry = if is_new { None } else { self.load_record(turn.key).await? };
        for _ in 0..=RACES {
            let now = self.now();
            self.skew.look(now);
            let lease = self.lease_from(now, self.next_holder());
            let seen = entry.as_ref().map(|entry| entry.version);
            let record = match verdict(entry.map(|entry| entry.record), turn, now, lease) {
                Verdict::Take(record) if can_run() => record,
                verdict => return Ok(self.not_taken(turn, verdict, now)),
            };
            // Created before the write. If the write is dropped or fails half-way, dropping the claim releases the
            // round.
            let state = ClaimState::unwritten(Arc::clone(self), turn, lease.holder, seen, record.clone());
            let mut claim = Claim::new(state);
            match self.write_record(turn.key, seen, record, turn.keep, turn.expires).await {
                Ok(WriteOutcome::Done(version)) => {
                    claim.is_written(version);
                    return Ok(Attempt::Ended(ClaimOutcome::Run(Arc::new(claim))));
                }
                Err(error @ LedgerError::Failed(_)) => return Err(error),
                not_written => {
                    claim.abandon();
                    match not_written? {
                        WriteOutcome::Conflict(newer) => entry = newer,
                        _ => return Ok(Attempt::Ended(ClaimOutcome::Gone)),
                    }
                }
            }
        }
        Ok(Attempt::Ended(ClaimOutcome::Busy { retry_after: LAST_LOOK }))
    }

    /// Returns the result of an attempt that has claimed nothing.
    fn not_taken(&self, turn: &Turn, verdict: Verdict, now: LedgerTime) -> Attempt {
        Attempt::Ended(match verdict {
            Verdict::Take(_) => ClaimOutcome::NotHere,
            Verdict::Wait { until } => return Attempt::Wait(until.since(now)),
            Verdict::Reply { reply, done } => {
                // `None` if the reply was sealed with a key that was removed.
                let reply = self.opened_for(turn.key.call, reply);
                reply.map_or(ClaimOutcome::NotKept { done }, ClaimOutcome::Reply)
            }
            Verdict::NotKept { done } => ClaimOutcome::NotKept { done },
            Verdict::UnknownOutcome => ClaimOutcome::UnknownOutcome,
            Verdict::Gone => ClaimOutcome::Gone,
        })
    }

    fn next_holder(&self) -> u64 {
        self.holders.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns the journal in the record of a call, if the record is at this round. Returns `None` if the record has no
    /// journal, or if the key that sealed the journal was removed from the key ring.
    pub(crate) async fn journal(&self, key: RecordKey, round: u32) -> Result<Option<EntrySlice>, LedgerError> {
        let record = self.record(key).await?.filter(|record| record.round == round);
        let journal = record.and_then(|record| record.journal);
        Ok(journal.and_then(|journal| self.opened_journal(key.call, journal)))
    }

    /// Returns the recorded output of a step, if the step has completed and its output was stored.
    pub(crate) async fn done_step(&self, key: RecordKey, step: &str) -> Result<Option<EntrySlice>, LedgerError> {
        let record = self.record(key).await?;
        let step = record.as_ref().and_then(|record| record.step(step));
        let Some(Kept::Yes(value)) = step.and_then(|step| step.value.clone()) else { return Ok(None) };
        Ok(self.opened_for(key.call, value))
    }
}

fn verdict(record: Option<Record>, turn: &Turn, now: LedgerTime, lease: Lease) -> Verdict {
    // A ledger in memory claims the round in the same step. For other ledgers, this is not needed for safety: the write
    // that claims the round checks the expiry too.
    if turn.expires.is_some_and(|expires| expires <= now) {
        return Verdict::Gone;
    }
    let Turn { round, first, anywhere, again, .. } = *turn;
    Record::claim(record, WantedTurn { round, first, anywhere, again }, now, lease)
}

/// Returns `Busy` with a short delay. The other request can end the round at any time, or its lease can expire.
fn busy(left: Duration) -> ClaimOutcome {
    ClaimOutcome::Busy { retry_after: left.clamp(Duration::from_millis(250), Duration::from_secs(5)) }
}
