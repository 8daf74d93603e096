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
    durable::ledger::record::{Kept, Lease, Record, RecordEntry, RecordKey, Verdict, WantedTurn, WriteOutcome},
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
        let patience = Instant::now() + PATIENCE;
        let mut slot: Option<WaitSlot<'_>> = None;
        let mut look = FIRST_LOOK;
        let mut races = 0;
        // Most first rounds are claimed by the first request that names them, so the read is skipped.
        let is_new = turn.round == turn.first && can_run();
        let mut entry = if is_new { None } else { self.load_record(turn.key).await? };
        loop {
            let now = self.now();
            self.skew.look(now);
            let lease = self.lease_from(now, self.holders.fetch_add(1, Ordering::Relaxed));
            let seen = entry.as_ref().map(|entry| entry.version);
            match verdict(entry.map(|entry| entry.record), &turn, now, lease) {
                Verdict::Take(_) if !can_run() => return Ok(ClaimOutcome::NotHere),
                Verdict::Take(record) => {
                    // Created before the write. If the write is dropped or fails half-way, dropping the claim releases
                    // the round.
                    let mut claim =
                        Claim::new(ClaimState::new(Arc::clone(self), &turn, lease.holder, seen, record.clone()));
                    match self.write_record(turn.key, seen, record, turn.keep, turn.expires).await {
                        Ok(WriteOutcome::Done(version)) => {
                            claim.is_written(version);
                            return Ok(ClaimOutcome::Run(Arc::new(claim)));
                        }
                        Err(error @ LedgerError::Failed(_)) => return Err(error),
                        not_written => {
                            claim.abandon();
                            match not_written? {
                                WriteOutcome::Conflict(newer) if races < RACES => entry = newer,
                                WriteOutcome::Conflict(_) => return Ok(ClaimOutcome::Busy { retry_after: LAST_LOOK }),
                                _ => return Ok(ClaimOutcome::Gone),
                            }
                        }
                    }
                    races += 1;
                }
                Verdict::Wait { until } => {
                    let left = until.since(now);
                    let now = Instant::now();
                    match &mut slot {
                        Some(_) if patience <= now => return Ok(busy(left)),
                        Some(slot) => {
                            slot.change(look.min(left).min(patience - now)).await;
                            look = (look * 2).min(LAST_LOOK);
                        }
                        // The record may have changed before the request began to wait: read it again at once.
                        None => match self.waiting.enter(turn.key.call) {
                            Some(free) => slot = Some(free),
                            None => return Ok(busy(left)),
                        },
                    }
                    entry = self.load_record(turn.key).await?;
                }
                Verdict::Reply { reply, done } => {
                    // `None` if the reply was sealed with a key that was removed.
                    let reply = self.opened_for(turn.key.call, reply);
                    return Ok(reply.map_or(ClaimOutcome::NotKept { done }, ClaimOutcome::Reply));
                }
                Verdict::NotKept { done } => return Ok(ClaimOutcome::NotKept { done }),
                Verdict::UnknownOutcome => return Ok(ClaimOutcome::UnknownOutcome),
                Verdict::Gone => return Ok(ClaimOutcome::Gone),
            }
        }
    }

    /// Returns the recorded output of a step, if the step has completed and its output was stored.
    pub(crate) async fn done_step(&self, key: RecordKey, step: &str) -> Result<Option<EntrySlice>, LedgerError> {
        let Some(RecordEntry { record, .. }) = self.load_record(key).await? else { return Ok(None) };
        let Some(Kept::Yes(value)) = record.step(step).and_then(|step| step.value.clone()) else { return Ok(None) };
        Ok(self.opened_for(key.call, value))
    }
}

fn verdict(record: Option<Record>, turn: &Turn, now: LedgerTime, lease: Lease) -> Verdict {
    // Not needed for safety: the write that claims the round checks the expiry too.
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
