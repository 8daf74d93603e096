//! Claims the rounds of calls in the ledger.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::time::{Instant, sleep};

use super::Skew;
use super::{
    Ledger, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerRoom, LedgerVersion, Swapped,
    claim::{Claim, NotWritten},
    lease::Lease,
    outcome_cipher::OutcomeCipher,
    record::{Record, Verdict, WantedTurn},
    skew::SkewCheck,
    waiters::{WaitSlot, Waiters},
};
use crate::{
    base::{mutex::Mutex, random},
    engine::call::{hold::LedgerError, ledger_time::LedgerTime, stored::Stored},
};

/// How long a request waits while another request holds the round.
const PATIENCE: Duration = Duration::from_secs(30);
/// A waiting request reads the record again and again. These are the first and the longest interval between two reads.
const FIRST_LOOK: Duration = Duration::from_millis(20);
const LAST_LOOK: Duration = Duration::from_secs(1);
/// How long new calls are rejected after the ledger reported that it is full.
const FULL: Duration = Duration::from_secs(10);
/// The delays before each retry of a failed write.
const PAUSES: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(250)];
/// If other requests change the record first, a request retries at most this many times. Then the request fails as
/// busy.
pub(super) const RACES: usize = 16;

/// Claims the rounds of a server's calls in the server's ledger.
pub(crate) struct Claims {
    pub(super) ledger: Arc<dyn Ledger>,
    pub(super) lease: Duration,
    pub(super) waiting: Waiters,
    /// Seals the stored outcomes. `None` if the server has no keys, or if no other process can read the ledger.
    pub(super) cipher: Option<OutcomeCipher>,
    skew: SkewCheck,
    /// The id of the next holder. The first id is random, so that two instances do not use the same ids.
    holders: AtomicU64,
    /// When the ledger last reported that it is full.
    full: Mutex<Option<Instant>>,
}

/// The round that a request wants to run. The request has passed all checks, so it can claim the round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn<'a> {
    /// The key of the call's record. The key contains the id of the ledger that this server uses.
    pub(crate) key: LedgerKey<'a>,
    pub(crate) round: u32,
    /// The round that creates the record: 1, or 0 for a call with an idempotency key.
    pub(crate) first: u32,
    /// Whether a later round can create the record too, because the call may have begun with another ledger.
    pub(crate) anywhere: bool,
    /// Whether effects that have begun can begin again, because the tool is idempotent.
    pub(crate) again: bool,
    /// When the state expires. The ledger keeps the record until then, because without the record the call could run
    /// twice. After that time, no round runs. `None` for a call with an idempotency key.
    pub(crate) expires: Option<LedgerTime>,
    /// How long the next state of the call will be valid.
    pub(crate) keep: Duration,
}

/// The result of claiming a round.
#[derive(Debug)]
pub(crate) enum ClaimOutcome {
    /// Run the round under this claim.
    Run(Claim),
    /// The round is open, but this process cannot run it. Nothing was claimed.
    NotHere,
    /// The call has already ended this round. This value holds the call's latest reply.
    Reply(Stored),
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
    pub(crate) fn new(ledger: Arc<dyn Ledger>, lease: Duration, cipher: Option<OutcomeCipher>) -> Arc<Self> {
        Arc::new(Self {
            ledger,
            lease,
            cipher,
            waiting: Waiters::default(),
            skew: SkewCheck::default(),
            holders: AtomicU64::new(u64::from_ne_bytes(random::bytes())),
            full: Mutex::default(),
        })
    }

    /// Writes an entry that is not the record of a call. No other entry may have the same name. The ledger keeps the
    /// entry at least until `until`.
    pub(crate) async fn keep(
        &self,
        key: LedgerKey<'_>,
        value: Arc<[u8]>,
        keep: Duration,
        until: LedgerTime,
    ) -> Result<Swapped, LedgerError> {
        self.swap(key, None, value, keep, Some(until)).await
    }

    /// Reads an entry written by [`keep`](Self::keep).
    pub(crate) async fn kept(&self, key: LedgerKey<'_>) -> Result<Option<Arc<[u8]>>, LedgerError> {
        Ok(self.ledger.load(key).await?.map(|entry| entry.value))
    }

    /// Returns the ledger's id, which is written into the states of new calls.
    pub(crate) async fn ledger_id(&self) -> Result<LedgerId, LedgerError> {
        self.ledger.id().await
    }

    /// Returns the time of the ledger.
    pub(crate) fn now(&self) -> LedgerTime {
        self.ledger.now()
    }

    /// Returns the difference between this machine's wall clock and the ledger's time, or `None` if it is small enough.
    pub(crate) fn skew(&self) -> Option<Skew> {
        let now = self.now();
        self.skew.look(now);
        Skew::from(now)
    }

    /// Returns the room for new calls, if known. The room is zero if the ledger reported a short time ago that it is
    /// full.
    pub(crate) fn room(&self) -> Option<LedgerRoom> {
        self.ledger.room().or_else(|| {
            let full = self.full.lock();
            full.is_some_and(|full| full.elapsed() < FULL).then_some(LedgerRoom { entries: 0, bytes: 0 })
        })
    }

    /// Returns the recorded output of a step, if the step has completed and its output was stored.
    pub(crate) async fn done_step(&self, key: LedgerKey<'_>, step: &str) -> Result<Option<Stored>, LedgerError> {
        let Some(entry) = self.ledger.load(key).await? else { return Ok(None) };
        let record = Record::from_bytes(&entry.value)?;
        let Some(super::record::Kept::Yes(value)) = record.step(step).and_then(|step| step.value.clone()) else {
            return Ok(None);
        };
        Ok(OutcomeCipher::open(self.cipher.as_ref(), key.name(), value))
    }

    /// Claims the round, or returns why the round cannot be claimed. Waits while another request holds the round.
    ///
    /// `can_run` returns whether this process can run the round. It is called directly before a claim. A request for an
    /// ended round gets the recorded reply even if `can_run` returns `false`. If this function returns an error, no
    /// effect has begun, so the request can be retried.
    pub(crate) async fn claim_round(
        self: &Arc<Self>,
        turn: Turn<'_>,
        can_run: impl Fn() -> bool,
    ) -> Result<ClaimOutcome, LedgerError> {
        let patience = Instant::now() + PATIENCE;
        let mut slot: Option<WaitSlot<'_>> = None;
        let mut look = FIRST_LOOK;
        let mut races = 0;
        // Most first rounds are claimed by the first request that names them, so the read is skipped.
        let is_new = turn.round == turn.first && can_run();
        let mut entry = if is_new { None } else { self.ledger.load(turn.key).await? };
        loop {
            let now = self.now();
            self.skew.look(now);
            let lease = self.lease_from(now, self.holders.fetch_add(1, Ordering::Relaxed));
            match verdict(entry.as_ref(), &turn, now, lease)? {
                Verdict::Take(_) if !can_run() => return Ok(ClaimOutcome::NotHere),
                Verdict::Take(record) => {
                    let seen = entry.map(|entry| entry.version);
                    match Claim::take(self, &turn, seen, record, lease.holder).await? {
                        Ok(claim) => return Ok(ClaimOutcome::Run(claim)),
                        Err(NotWritten::TooLate) => return Ok(ClaimOutcome::Gone),
                        Err(_) if races == RACES => return Ok(ClaimOutcome::Busy { retry_after: LAST_LOOK }),
                        Err(NotWritten::Conflict(newer)) => entry = newer,
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
                        None => match self.waiting.enter(turn.key.name()) {
                            Some(free) => slot = Some(free),
                            None => return Ok(busy(left)),
                        },
                    }
                    entry = self.ledger.load(turn.key).await?;
                }
                Verdict::Reply { reply, done } => {
                    // `None` if the reply was sealed with a key that was removed.
                    let reply = OutcomeCipher::open(self.cipher.as_ref(), turn.key.name(), reply);
                    return Ok(reply.map_or(ClaimOutcome::NotKept { done }, ClaimOutcome::Reply));
                }
                Verdict::NotKept { done } => return Ok(ClaimOutcome::NotKept { done }),
                Verdict::UnknownOutcome => return Ok(ClaimOutcome::UnknownOutcome),
                Verdict::Gone => return Ok(ClaimOutcome::Gone),
            }
        }
    }

    /// Writes a record with [`Ledger::swap`], and retries if the ledger fails.
    pub(super) fn swap<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> impl Future<Output = Result<Swapped, LedgerError>> + Send + 'a {
        self.write(value, move |value| self.ledger.swap(key, seen, value, keep, before))
    }

    /// Writes the last value of a record with [`Ledger::finish`], and retries if the ledger fails.
    pub(super) fn finish<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> impl Future<Output = Result<Swapped, LedgerError>> + Send + 'a {
        self.write(value, move |value| self.ledger.finish(key, seen, value, keep))
    }

    /// Calls `write`, and retries if the ledger fails. A failed write may still have been stored. The next try finds
    /// this out, because the entry contains the id of the holder.
    #[expect(clippy::manual_async_fn, reason = "the future of an `async fn` would store its arguments twice")]
    fn write<'a>(
        &'a self,
        value: Arc<[u8]>,
        write: impl Fn(Arc<[u8]>) -> LedgerFuture<'a, Swapped> + Send + 'a,
    ) -> impl Future<Output = Result<Swapped, LedgerError>> + Send + 'a {
        async move {
            let mut pauses = PAUSES.into_iter();
            loop {
                match write(Arc::clone(&value)).await {
                    Ok(Swapped::Conflict(Some(entry))) if entry.value == value => {
                        return Ok(Swapped::Done(entry.version));
                    }
                    Err(LedgerError::Failed(error)) => match pauses.next() {
                        Some(pause) => sleep(pause).await,
                        None => return Err(LedgerError::Failed(error)),
                    },
                    Err(error) if error.is_for_size() => {
                        *self.full.lock() = Some(Instant::now());
                        return Err(error);
                    }
                    result => return result,
                }
            }
        }
    }

    pub(super) fn lease_from(&self, now: LedgerTime, holder: u64) -> Lease {
        Lease { holder, until: now.after(self.lease) }
    }
}

fn verdict(
    entry: Option<&LedgerEntry>,
    turn: &Turn<'_>,
    now: LedgerTime,
    lease: Lease,
) -> Result<Verdict, LedgerError> {
    // Not needed for safety: the swap that claims the round checks the expiry too.
    if turn.expires.is_some_and(|expires| expires <= now) {
        return Ok(Verdict::Gone);
    }
    let record = entry.map(|entry| Record::from_bytes(&entry.value)).transpose()?;
    let Turn { round, first, anywhere, again, .. } = *turn;
    let wanted = WantedTurn { round, first, anywhere, again };
    Ok(Record::claim(record, wanted, now, lease))
}

/// Returns `Busy` with a short delay. The other request can end the round at any time, or its lease can expire.
fn busy(left: Duration) -> ClaimOutcome {
    ClaimOutcome::Busy { retry_after: left.clamp(Duration::from_millis(250), Duration::from_secs(5)) }
}
