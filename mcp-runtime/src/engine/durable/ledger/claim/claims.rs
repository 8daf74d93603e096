//! The ledger of a server, and what the claims of its calls share.

use std::{
    sync::{Arc, atomic::AtomicU64},
    time::Duration,
};

use tokio::time::{Instant, sleep};

use super::{
    cipher::OutcomeCipher,
    skew::{SkewCheck, skew},
    waiters::Waiters,
};
use crate::{
    base::{mutex::Mutex, random},
    engine::{
        call::{
            lease::LedgerError,
            ledger_time::LedgerTime,
            observer::{LedgerOperation, Observer as _, observer},
        },
        durable::ledger::{
            Ledger, LedgerCapacity, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, MemoryLedger,
            Swapped,
            record::{Lease, Record, RecordEntry, RecordKey, Status, WriteOutcome},
        },
    },
};

/// How long a ledger gets no new calls after it reported that it is full, or after it failed and there is another one.
const UNUSABLE: Duration = Duration::from_secs(10);
/// The delays before each retry of a failed write.
const PAUSES: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(250)];
/// If other requests change the record first, a request retries at most this many times. Then the request fails as
/// busy.
pub(super) const RACES: usize = 16;

/// Claims the rounds of a server's calls in the server's ledger.
pub(crate) struct Claims {
    pub(crate) ledger: Arc<dyn Ledger>,
    /// The same ledger, if it is in memory. Such a ledger keeps records as values, and changes them in place.
    pub(super) memory: Option<MemoryLedger>,
    pub(super) lease: Duration,
    pub(crate) waiting: Waiters,
    /// Seals the stored outcomes. `None` if the server has no keys, or if no other process can read the ledger.
    pub(crate) cipher: Option<Arc<dyn OutcomeCipher>>,
    pub(super) skew: SkewCheck,
    /// The id of the next holder. The first id is random, so that two instances do not use the same ids.
    pub(super) holders: AtomicU64,
    /// The id of the ledger, as last seen. Every operation names it, and the ledger rejects another one.
    id: Mutex<Option<LedgerId>>,
    /// When the ledger last reported that it is full.
    full: Mutex<Option<Instant>>,
    /// When an operation last failed, unless the ledger has worked since.
    failed: Mutex<Option<Instant>>,
}

/// The round that a request wants to run. The request has passed all checks, so it can claim the round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    pub(crate) key: RecordKey,
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

impl Claims {
    pub(crate) fn new(ledger: Arc<dyn Ledger>, lease: Duration, cipher: Option<Arc<dyn OutcomeCipher>>) -> Arc<Self> {
        let memory = ledger.as_memory().and_then(|ledger| ledger.downcast_ref()).cloned();
        Arc::new(Self {
            ledger,
            memory,
            lease,
            cipher,
            waiting: Waiters::default(),
            skew: SkewCheck::default(),
            holders: AtomicU64::new(u64::from_ne_bytes(random::bytes())),
            id: Mutex::default(),
            full: Mutex::default(),
            failed: Mutex::default(),
        })
    }

    /// Returns whether the ledger is in memory. Each operation of such a ledger completes when it is first polled.
    pub(crate) fn is_in_memory(&self) -> bool {
        self.memory.is_some()
    }

    /// Returns the ledger's id, which is written into the states of new calls.
    pub(crate) async fn ledger_id(&self) -> Result<LedgerId, LedgerError> {
        if let Some(id) = self.known_id() {
            return Ok(id);
        }
        let id = self.measured("id", self.ledger.id(), |_| false).await?;
        *self.id.lock() = Some(id);
        Ok(id)
    }

    /// Returns the ledger's id if it is known.
    pub(super) fn known_id(&self) -> Option<LedgerId> {
        self.memory.as_ref().map(MemoryLedger::ledger_id).or_else(|| *self.id.lock())
    }

    /// Returns the entry under this key, or `None` if there is none or it has expired.
    pub(crate) async fn load(&self, key: LedgerKey<'_>) -> Result<Option<LedgerEntry>, LedgerError> {
        self.measured("load", self.ledger.load(key), |_| false).await
    }

    /// Returns the record under this key, or `None` if there is none or it has expired.
    pub(super) async fn load_record(&self, key: RecordKey) -> Result<Option<RecordEntry>, LedgerError> {
        let name = key.call.name();
        self.load(LedgerKey::new(key.ledger, &name)).await?.map(RecordEntry::try_from).transpose()
    }

    /// Returns the record under this key like [`load_record`](Self::load_record), without its version.
    pub(super) async fn record(&self, key: RecordKey) -> Result<Option<Record>, LedgerError> {
        match &self.memory {
            Some(memory) => memory.load_record(key),
            None => Ok(self.load_record(key).await?.map(|entry| entry.record)),
        }
    }

    /// Writes a record under the conditions of [`Ledger::swap`]. If the call is done, this is the last value of the
    /// record.
    pub(super) async fn write_record(
        &self,
        key: RecordKey,
        seen: Option<LedgerVersion>,
        record: Record,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> Result<WriteOutcome, LedgerError> {
        let (name, bytes) = (key.call.name(), record.to_bytes());
        let stored = LedgerKey::new(key.ledger, &name);
        let swapped = if record.status == Status::Done {
            self.write("finish", bytes, |bytes| self.ledger.finish(stored, seen, bytes, keep)).await
        } else {
            self.swap(stored, seen, bytes, keep, before).await
        };
        swapped?.try_into()
    }

    /// Returns the time of the ledger.
    pub(crate) fn now(&self) -> LedgerTime {
        self.ledger.now()
    }

    /// Returns the difference between this machine's wall clock and the ledger's time, or `None` if it is small enough.
    pub(crate) fn skew(&self) -> Option<String> {
        let now = self.now();
        self.skew.look(now);
        skew(now)
    }

    /// Returns the room for new calls, if known. The room is zero if the ledger reported a short time ago that it is
    /// full.
    pub(crate) fn room(&self) -> Option<LedgerCapacity> {
        self.ledger.room().or_else(|| is_recent(&self.full).then_some(LedgerCapacity { entries: 0, bytes: 0 }))
    }

    /// Whether the ledger has room for new calls, and no operation failed a short time ago.
    pub(super) fn takes_new_calls(&self) -> bool {
        !is_recent(&self.failed) && self.room().is_none_or(|room| room.entries > 0)
    }

    /// Writes an entry with [`Ledger::swap`], and retries if the ledger fails.
    pub(crate) fn swap<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> impl Future<Output = Result<Swapped, LedgerError>> + Send + 'a {
        self.write("swap", value, move |value| self.ledger.swap(key, seen, value, keep, before))
    }

    /// Calls `write`, and retries if the ledger fails. A failed write may still have been stored. The next try finds
    /// this out, because the entry contains the id of the holder.
    #[expect(clippy::manual_async_fn, reason = "the future of an `async fn` would store its arguments twice")]
    fn write<'a>(
        &'a self,
        name: &'static str,
        value: Arc<[u8]>,
        write: impl Fn(Arc<[u8]>) -> LedgerFuture<'a, Swapped> + Send + 'a,
    ) -> impl Future<Output = Result<Swapped, LedgerError>> + Send + 'a {
        async move {
            let mut pauses = PAUSES.into_iter();
            loop {
                let is_conflict = |swapped: &Swapped| matches!(swapped, Swapped::Conflict(_));
                match self.measured(name, write(Arc::clone(&value)), is_conflict).await {
                    Ok(Swapped::Conflict(Some(entry))) if entry.value == value => {
                        return Ok(Swapped::Done(entry.version));
                    }
                    Err(LedgerError::Failed(error)) => match pauses.next() {
                        Some(pause) => sleep(pause).await,
                        None => return Err(LedgerError::Failed(error)),
                    },
                    result => return result.inspect_err(|error| self.note_full(error)),
                }
            }
        }
    }

    /// Returns whether the ledger works, as far as this process knows. If an operation failed, and not a short time ago,
    /// the first caller asks the ledger. Until the ledger has answered, it gets no new calls.
    pub(super) async fn works(&self) -> bool {
        let is_due = {
            let mut failed = self.failed.lock();
            let is_due = failed.is_some_and(|failed| UNUSABLE <= failed.elapsed());
            if is_due {
                *failed = Some(Instant::now());
            }
            is_due
        };
        if !is_due {
            return true;
        }
        let Ok(id) = self.measured("id", self.ledger.id(), |_| false).await else { return false };
        *self.id.lock() = Some(id);
        *self.failed.lock() = None;
        true
    }

    /// Records that an operation failed.
    pub(super) fn has_failed(&self) {
        *self.failed.lock() = Some(Instant::now());
    }

    fn note_full(&self, error: &LedgerError) {
        if error.is_for_size() {
            *self.full.lock() = Some(Instant::now());
        }
    }

    /// Runs an operation of the ledger. Reports how long it took, if telemetry needs to know.
    async fn measured<T>(
        &self,
        name: &'static str,
        operation: impl Future<Output = Result<T, LedgerError>>,
        is_conflict: impl FnOnce(&T) -> bool,
    ) -> Result<T, LedgerError> {
        let start = observer().times_ledger().then(Instant::now);
        let result = operation.await;
        match result {
            Err(LedgerError::Replaced) => *self.id.lock() = None,
            Err(LedgerError::Failed(_)) => self.has_failed(),
            _ => {}
        }
        report_operation(name, start, &result, is_conflict);
        result
    }

    /// Runs a write of a ledger in memory, like [`measured`](Self::measured).
    pub(super) fn written_in_memory<T>(
        &self,
        write: impl FnOnce() -> Result<T, LedgerError>,
        is_conflict: impl FnOnce(&T) -> bool,
    ) -> Result<T, LedgerError> {
        let start = observer().times_ledger().then(Instant::now);
        let result = write();
        report_operation("swap", start, &result, is_conflict);
        result.inspect_err(|error| self.note_full(error))
    }

    pub(super) fn lease_from(&self, now: LedgerTime, holder: u64) -> Lease {
        Lease { holder, until: now.after(self.lease) }
    }
}

/// Reports an operation to telemetry, if it was timed.
fn report_operation<T>(
    name: &'static str,
    start: Option<Instant>,
    result: &Result<T, LedgerError>,
    is_conflict: impl FnOnce(&T) -> bool,
) {
    if let Some(start) = start {
        let (error, is_conflict) = (result.as_ref().err(), result.as_ref().is_ok_and(is_conflict));
        observer().ledger_operation(&LedgerOperation { name, took: start.elapsed(), error, is_conflict });
    }
}

fn is_recent(time: &Mutex<Option<Instant>>) -> bool {
    time.lock().is_some_and(|time| time.elapsed() < UNUSABLE)
}
