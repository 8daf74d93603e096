//! A ledger whose operations can be interrupted, counted and made to fail.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::task::yield_now;

use super::{
    super::{Ledger, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, MemoryLedger, Swapped},
    at_once,
};
use crate::engine::call::{lease::LedgerError, ledger_time::LedgerTime};

/// One instance's connection to the ledger.
#[derive(Clone)]
pub(super) struct Gate(Arc<Ways>);

struct Ways {
    ledger: Arc<Mutex<MemoryLedger>>,
    /// If set, each operation is pending once before it takes effect, and once after that.
    is_slow: AtomicBool,
    is_shut: AtomicBool,
    /// If set, a swap overwrites an entry of any version.
    has_no_fence: AtomicBool,
    trips: AtomicUsize,
    /// How far the time of this instance is behind the time of the ledger.
    lags: Mutex<Duration>,
    faults: Mutex<VecDeque<Fault>>,
}

/// What happens to a swap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fault {
    /// The swap succeeds.
    None,
    /// The swap fails and has not taken effect.
    Undone,
    /// The swap fails but has taken effect.
    Done,
}

impl Gate {
    pub(super) fn new(ledger: MemoryLedger) -> Self {
        Self::to(Arc::new(Mutex::new(ledger)))
    }

    /// Returns another connection to the same ledger.
    pub(super) fn beside(&self) -> Self {
        Self::to(Arc::clone(&self.0.ledger))
    }

    fn to(ledger: Arc<Mutex<MemoryLedger>>) -> Self {
        Self(Arc::new(Ways {
            ledger,
            is_slow: AtomicBool::new(false),
            is_shut: AtomicBool::new(false),
            has_no_fence: AtomicBool::new(false),
            trips: AtomicUsize::new(0),
            lags: Mutex::default(),
            faults: Mutex::default(),
        }))
    }

    pub(super) fn slow(&self) {
        self.0.is_slow.store(true, Ordering::Relaxed);
    }

    /// If `shut`, makes all operations fail, as if the ledger were unavailable or the instance dead.
    pub(super) fn shut(&self, shut: bool) {
        self.0.is_shut.store(shut, Ordering::Relaxed);
    }

    pub(super) fn without_fence(&self) {
        self.0.has_no_fence.store(true, Ordering::Relaxed);
    }

    pub(super) fn lag(&self, by: Duration) {
        *self.0.lags.lock().unwrap() = by;
    }

    /// Sets the results of the next swaps.
    pub(super) fn fail(&self, faults: impl IntoIterator<Item = Fault>) {
        self.0.faults.lock().unwrap().extend(faults);
    }

    /// Replaces the ledger of all connections.
    pub(super) fn replace(&self, ledger: MemoryLedger) {
        *self.0.ledger.lock().unwrap() = ledger;
    }

    /// Returns the number of operations since the last call of this function.
    pub(super) fn trips(&self) -> usize {
        self.0.trips.swap(0, Ordering::Relaxed)
    }

    pub(super) fn ledger(&self) -> MemoryLedger {
        self.0.ledger.lock().unwrap().clone()
    }

    pub(super) fn id_now(&self) -> LedgerId {
        at_once(self.ledger().id()).unwrap()
    }

    async fn write<F: Future<Output = Result<Swapped, LedgerError>>>(
        &self,
        key: LedgerKey<'_>,
        seen: Option<LedgerVersion>,
        write: impl FnOnce(MemoryLedger, Option<LedgerVersion>) -> F,
    ) -> Result<Swapped, LedgerError> {
        self.0.trips.fetch_add(1, Ordering::Relaxed);
        self.pass().await?;
        let fault = self.0.faults.lock().unwrap().pop_front().unwrap_or(Fault::None);
        if fault == Fault::Undone {
            return Err(away());
        }
        let ledger = self.ledger();
        let seen = if self.0.has_no_fence.load(Ordering::Relaxed) {
            ledger.load(key).await?.map(|entry| entry.version)
        } else {
            seen
        };
        let swapped = write(ledger, seen).await?;
        self.pass().await?;
        if fault == Fault::Done { Err(away()) } else { Ok(swapped) }
    }

    async fn pass(&self) -> Result<(), LedgerError> {
        if self.0.is_slow.load(Ordering::Relaxed) {
            yield_now().await;
        }
        if self.0.is_shut.load(Ordering::Relaxed) { Err(away()) } else { Ok(()) }
    }
}

fn away() -> LedgerError {
    LedgerError::failed("the ledger is unavailable")
}

impl Ledger for Gate {
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        Box::pin(async { Ok(self.id_now()) })
    }

    fn now(&self) -> LedgerTime {
        let lags = *self.0.lags.lock().unwrap();
        LedgerTime(self.ledger().now().since(LedgerTime::default().after(lags)).as_millis().try_into().unwrap())
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        Box::pin(async move {
            self.0.trips.fetch_add(1, Ordering::Relaxed);
            self.pass().await?;
            let entry = self.ledger().load(key).await?;
            self.pass().await?;
            Ok(entry)
        })
    }

    fn swap<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(self.write(
            key,
            seen,
            move |ledger, seen| async move { ledger.swap(key, seen, value, keep, before).await },
        ))
    }

    fn finish<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(self.write(key, seen, move |ledger, seen| async move { ledger.finish(key, seen, value, keep).await }))
    }
}
