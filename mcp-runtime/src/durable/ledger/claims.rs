//! Taking up a round.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::time::{Instant, sleep};

#[cfg(feature = "http")]
use super::Skew;
use super::{
    Ledger, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerRoom, LedgerVersion, Swapped,
    claim::{Claim, Refused},
    outcome_cipher::Cover,
    record::{Lease, Record, Verdict, Wanted},
    skew::Watch,
    waiters::{Place, Waiting},
};
use crate::{
    call::{lease::LedgerError, ledger_time::LedgerTime, stored::Stored},
    mutex::Mutex,
    random,
};

/// How long a round belongs to a holder that is not heard of.
pub(crate) const LEASE: Duration = Duration::from_secs(30);
/// How long a request waits for what another one has taken up.
const PATIENCE: Duration = Duration::from_secs(30);
/// Between two looks at a record that others may change, at first and at last.
const FIRST_LOOK: Duration = Duration::from_millis(20);
const LAST_LOOK: Duration = Duration::from_secs(1);
/// After a ledger said that it is full, no call is begun for so long.
const FULL: Duration = Duration::from_secs(10);
/// Before another try where the ledger failed.
const PAUSES: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(250)];
/// So many lost races for one record are no chance any more.
pub(super) const RACES: usize = 16;

/// The calls of a server as its ledger knows them.
pub(crate) struct Claims {
    pub(super) ledger: Arc<dyn Ledger>,
    pub(super) lease: Duration,
    pub(super) waiting: Waiting,
    /// Seals what the ledger is given to keep, where others can read it.
    pub(super) cover: Option<Cover>,
    skew: Watch,
    /// The next holder of a round. The first is drawn at random, so that no other instance has the same.
    holders: AtomicU64,
    /// When the ledger last said that it is full.
    full: Mutex<Option<Instant>>,
}

/// One round of a call, as a request names it that has passed every other check.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn<'a> {
    /// The call's own key, in the ledger its state is from.
    pub(crate) key: LedgerKey<'a>,
    pub(crate) round: u32,
    /// The round that makes the record: 1, or 0 for a call that has a key from its client.
    pub(crate) first: u32,
    /// Whether the record may be made at any round: the ledger may never have heard of the call.
    pub(crate) anywhere: bool,
    /// Whether what has begun may begin again: for tools that are idempotent.
    pub(crate) again: bool,
    /// Until when the state is good that brings it. Later nothing runs, and the record is kept until then: once it is
    /// gone, the call could run a second time. `None` for a call that its client's key leads to.
    pub(crate) expires: Option<LedgerTime>,
    /// As long as the next state of the call will be good.
    pub(crate) keep: Duration,
}

/// What became of a wish to take up a round.
#[derive(Debug)]
pub(crate) enum TakenUp {
    /// Run it, under this claim.
    Run(Claim),
    /// The round is open, and cannot be run here. Nothing is claimed.
    NotHere,
    /// The call is past this: its latest reply.
    Reply(Stored),
    /// The call is past this, and its latest reply was too large to keep; it was the last one if the call is done.
    NotKept { done: bool },
    /// What must not begin twice has begun, and whoever began it is gone.
    UnknownOutcome,
    /// The state is past its time; or the ledger should know the call, or a later round of it, and does not.
    Gone,
    /// Somebody else has the round and is not done in time. Nothing is spent: the same request may come again.
    Busy { retry_after: Duration },
}

impl Claims {
    pub(crate) fn new(ledger: Arc<dyn Ledger>, lease: Duration, cover: Option<Cover>) -> Arc<Self> {
        Arc::new(Self {
            ledger,
            lease,
            cover,
            waiting: Waiting::default(),
            skew: Watch::default(),
            holders: AtomicU64::new(u64::from_ne_bytes(random::bytes())),
            full: Mutex::default(),
        })
    }

    /// Writes an entry that is no record, under a name that nobody else has. The ledger keeps it until `until`, at least.
    #[cfg(feature = "seal")]
    pub(crate) async fn keep(
        &self,
        key: LedgerKey<'_>,
        value: Arc<[u8]>,
        keep: Duration,
        until: LedgerTime,
    ) -> Result<Swapped, LedgerError> {
        self.swap(key, None, value, keep, Some(until)).await
    }

    /// What was kept so.
    #[cfg(feature = "seal")]
    pub(crate) async fn kept(&self, key: LedgerKey<'_>) -> Result<Option<Arc<[u8]>>, LedgerError> {
        Ok(self.ledger.load(key).await?.map(|entry| entry.value))
    }

    /// The id that belongs into the states of new calls. A state with another one is not honoured.
    pub(crate) async fn ledger_id(&self) -> Result<LedgerId, LedgerError> {
        self.ledger.id().await
    }

    /// The time of the ledger, as it is known here.
    pub(crate) fn now(&self) -> LedgerTime {
        self.ledger.now()
    }

    /// How far the wall clock of this machine is from that, if it is too far.
    #[cfg(feature = "http")]
    pub(crate) fn skew(&self) -> Option<Skew> {
        let now = self.now();
        self.skew.look(now);
        Skew::from(now)
    }

    /// What is left for new calls, as far as it is known: none if the ledger said lately that it is full.
    pub(crate) fn room(&self) -> Option<LedgerRoom> {
        self.ledger.room().or_else(|| {
            let full = self.full.lock();
            full.is_some_and(|full| full.elapsed() < FULL).then_some(LedgerRoom { entries: 0, bytes: 0 })
        })
    }

    /// What a step gave that is recorded as done.
    #[cfg(feature = "testing")]
    pub(crate) async fn done_step(&self, key: LedgerKey<'_>, step: &str) -> Result<Option<Stored>, LedgerError> {
        let Some(entry) = self.ledger.load(key).await? else { return Ok(None) };
        let record = Record::from_bytes(&entry.value)?;
        let Some(super::record::Kept::Yes(value)) = record.step(step).and_then(|step| step.value.clone()) else {
            return Ok(None);
        };
        Ok(Cover::open(self.cover.as_ref(), key.name(), value))
    }

    /// Takes the round up, or tells what has become of it; waits while somebody else has it.
    ///
    /// `can_run` is asked before a claim is made, and only then: a call that cannot be resumed here may well have a
    /// reply for its spent states. An error leaves no trace: the same request may come again.
    pub(crate) async fn take_up(
        self: &Arc<Self>,
        turn: Turn<'_>,
        can_run: impl Fn() -> bool,
    ) -> Result<TakenUp, LedgerError> {
        let patience = Instant::now() + PATIENCE;
        let mut place: Option<Place<'_>> = None;
        let mut look = FIRST_LOOK;
        let mut races = 0;
        // Most first rounds are taken up by the first request that names them, without a look.
        let is_new = turn.round == turn.first && can_run();
        let mut entry = if is_new { None } else { self.ledger.load(turn.key).await? };
        loop {
            let now = self.now();
            self.skew.look(now);
            let lease = self.lease_from(now, self.holders.fetch_add(1, Ordering::Relaxed));
            match verdict(entry.as_ref(), &turn, now, lease)? {
                Verdict::Take(_) if !can_run() => return Ok(TakenUp::NotHere),
                Verdict::Take(record) => {
                    let seen = entry.map(|entry| entry.version);
                    match Claim::take(self, &turn, seen, record, lease.holder).await? {
                        Ok(claim) => return Ok(TakenUp::Run(claim)),
                        Err(Refused::TooLate) => return Ok(TakenUp::Gone),
                        Err(_) if races == RACES => return Ok(TakenUp::Busy { retry_after: LAST_LOOK }),
                        Err(Refused::Conflict(newer)) => entry = newer,
                    }
                    races += 1;
                }
                Verdict::Wait { until } => {
                    let left = until.since(now);
                    let now = Instant::now();
                    match &mut place {
                        Some(_) if patience <= now => return Ok(busy(left)),
                        Some(place) => {
                            place.change(look.min(left).min(patience - now)).await;
                            look = (look * 2).min(LAST_LOOK);
                        }
                        // It may have changed before: looked at again at once.
                        None => match self.waiting.enter(turn.key.name()) {
                            Some(free) => place = Some(free),
                            None => return Ok(busy(left)),
                        },
                    }
                    entry = self.ledger.load(turn.key).await?;
                }
                Verdict::Reply { reply, done } => {
                    // One that cannot be opened was sealed with a key that is gone.
                    let reply = Cover::open(self.cover.as_ref(), turn.key.name(), reply);
                    return Ok(reply.map_or(TakenUp::NotKept { done }, TakenUp::Reply));
                }
                Verdict::NotKept { done } => return Ok(TakenUp::NotKept { done }),
                Verdict::UnknownOutcome => return Ok(TakenUp::UnknownOutcome),
                Verdict::Gone => return Ok(TakenUp::Gone),
            }
        }
    }

    /// Swaps, and again where the ledger failed.
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

    /// Writes the last value of a record, and again where the ledger failed.
    pub(super) fn finish<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> impl Future<Output = Result<Swapped, LedgerError>> + Send + 'a {
        self.write(value, move |value| self.ledger.finish(key, seen, value, keep))
    }

    /// Tries again where the ledger failed: it may have done it the first time. That shows by the bytes, which name their
    /// holder.
    #[expect(clippy::manual_async_fn, reason = "the future of an `async fn` has room for its arguments twice")]
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
    // Not that it would run anything: only the claim decides that.
    if turn.expires.is_some_and(|expires| expires <= now) {
        return Ok(Verdict::Gone);
    }
    let record = entry.map(|entry| Record::from_bytes(&entry.value)).transpose()?;
    let Turn { round, first, anywhere, again, .. } = *turn;
    let wanted = Wanted { round, first, anywhere, again };
    Ok(Record::claim(record, wanted, now, lease))
}

/// It may be done at any time, and its holder may be gone at the end of its lease.
fn busy(left: Duration) -> TakenUp {
    TakenUp::Busy { retry_after: left.clamp(Duration::from_millis(250), Duration::from_secs(5)) }
}
