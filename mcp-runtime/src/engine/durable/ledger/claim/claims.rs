//! The ledger of a server, and what the claims of its calls share.

use std::{
    sync::{Arc, atomic::AtomicU64},
    time::Duration,
};

use tokio::time::{Instant, sleep};

use super::{outcome_cipher::OutcomeCipher, skew::SkewCheck, waiters::Waiters};
use crate::{
    base::{mutex::Mutex, random},
    engine::{
        call::{
            hold::LedgerError,
            ledger_time::LedgerTime,
            observer::{LedgerOperation, Observer as _, observer},
        },
        durable::ledger::{
            Ledger, LedgerCapacity, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, Swapped,
            record::Lease,
        },
    },
};

/// How long new calls are rejected after the ledger reported that it is full.
const FULL: Duration = Duration::from_secs(10);
/// The delays before each retry of a failed write.
const PAUSES: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(250)];
/// If other requests change the record first, a request retries at most this many times. Then the request fails as
/// busy.
pub(super) const RACES: usize = 16;

/// Claims the rounds of a server's calls in the server's ledger.
pub(crate) struct Claims {
    pub(crate) ledger: Arc<dyn Ledger>,
    pub(super) lease: Duration,
    pub(crate) waiting: Waiters,
    /// Seals the stored outcomes. `None` if the server has no keys, or if no other process can read the ledger.
    pub(crate) cipher: Option<OutcomeCipher>,
    pub(super) skew: SkewCheck,
    /// The id of the next holder. The first id is random, so that two instances do not use the same ids.
    pub(super) holders: AtomicU64,
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

    /// Reads an entry written by [`keep`](Self::keep).
    #[cfg(feature = "seal")]
    pub(crate) async fn kept(&self, key: LedgerKey<'_>) -> Result<Option<Arc<[u8]>>, LedgerError> {
        Ok(self.load(key).await?.map(|entry| entry.value))
    }

    /// Returns the ledger's id, which is written into the states of new calls.
    pub(crate) async fn ledger_id(&self) -> Result<LedgerId, LedgerError> {
        let start = Instant::now();
        let id = self.ledger.id().await;
        // The id is usually cached, so only failures are reported.
        if let Err(error) = &id {
            report_operation("id", start, Some(error), false);
        }
        id
    }

    /// Returns the entry under this key, or `None` if there is none or it has expired.
    pub(crate) async fn load(&self, key: LedgerKey<'_>) -> Result<Option<LedgerEntry>, LedgerError> {
        measured("load", self.ledger.load(key), |_| false).await
    }

    /// Returns the time of the ledger.
    pub(crate) fn now(&self) -> LedgerTime {
        self.ledger.now()
    }

    /// Returns the difference between this machine's wall clock and the ledger's time, or `None` if it is small enough.
    #[cfg(feature = "http")]
    pub(crate) fn skew(&self) -> Option<super::skew::Skew> {
        let now = self.now();
        self.skew.look(now);
        super::skew::Skew::from(now)
    }

    /// Returns the room for new calls, if known. The room is zero if the ledger reported a short time ago that it is
    /// full.
    pub(crate) fn room(&self) -> Option<LedgerCapacity> {
        self.ledger.room().or_else(|| {
            let full = self.full.lock();
            full.is_some_and(|full| full.elapsed() < FULL).then_some(LedgerCapacity { entries: 0, bytes: 0 })
        })
    }

    /// Writes a record with [`Ledger::swap`], and retries if the ledger fails.
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

    /// Writes the last value of a record with [`Ledger::finish`], and retries if the ledger fails.
    pub(super) fn finish<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> impl Future<Output = Result<Swapped, LedgerError>> + Send + 'a {
        self.write("finish", value, move |value| self.ledger.finish(key, seen, value, keep))
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
                match measured(name, write(Arc::clone(&value)), is_conflict).await {
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

/// Runs an operation of the ledger. Reports how long it took, if telemetry needs to know.
async fn measured<T>(
    name: &'static str,
    operation: LedgerFuture<'_, T>,
    is_conflict: impl FnOnce(&T) -> bool,
) -> Result<T, LedgerError> {
    if !observer().times_ledger() {
        return operation.await;
    }
    let start = Instant::now();
    let result = operation.await;
    report_operation(name, start, result.as_ref().err(), result.as_ref().is_ok_and(is_conflict));
    result
}

fn report_operation(name: &'static str, start: Instant, error: Option<&LedgerError>, is_conflict: bool) {
    observer().ledger_operation(&LedgerOperation { name, took: start.elapsed(), error, is_conflict });
}
