//! The connection of one process to the ledger.

use std::{
    future::pending,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use super::{
    points::{Go, Points},
    store::{Clock, SharedStore},
};
use crate::engine::{
    call::{lease::LedgerError, ledger_time::LedgerTime},
    durable::ledger::{Ledger, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, Swapped},
};

/// A ledger whose operations wait at a point before and after they take effect.
#[derive(Clone)]
pub(super) struct GatedLedger(Arc<Inside>);

struct Inside {
    process: usize,
    points: Points,
    store: Arc<Mutex<SharedStore>>,
    clock: Clock,
    /// Whether the process is killed and has no further effect.
    is_dead: AtomicBool,
    /// Whether the process cannot reach the ledger.
    is_away: AtomicBool,
    /// Whether a swap overwrites any version.
    has_no_fence: bool,
}

impl GatedLedger {
    pub(super) fn new(
        process: usize,
        points: Points,
        store: Arc<Mutex<SharedStore>>,
        clock: Clock,
        has_no_fence: bool,
    ) -> Self {
        let (is_dead, is_away) = (AtomicBool::new(false), AtomicBool::new(false));
        Self(Arc::new(Inside { process, points, store, clock, is_dead, is_away, has_no_fence }))
    }

    pub(super) fn kill(&self) {
        self.0.is_dead.store(true, Ordering::Relaxed);
        self.0.points.kill(self.0.process);
    }

    pub(super) fn set_away(&self, is_away: bool) {
        self.0.is_away.store(is_away, Ordering::Relaxed);
    }

    /// Waits at a point of this process.
    pub(super) async fn pass(&self) -> Go {
        if self.0.is_dead.load(Ordering::Relaxed) {
            return pending().await;
        }
        self.0.points.pass(self.0.process).await
    }

    async fn reach(&self) -> Result<(), LedgerError> {
        if self.0.is_away.load(Ordering::Relaxed) {
            return Err(LedgerError::failed("the ledger is unavailable"));
        }
        match self.pass().await {
            Go::On => Ok(()),
            Go::Failing => Err(LedgerError::failed("the ledger failed")),
        }
    }

    async fn write(
        &self,
        key: LedgerKey<'_>,
        seen: Option<LedgerVersion>,
        write: impl FnOnce(&mut SharedStore, &Clock, Option<LedgerVersion>) -> Result<Swapped, LedgerError>,
    ) -> Result<Swapped, LedgerError> {
        self.reach().await?;
        let swapped = {
            let (mut store, clock) = (self.0.store.lock().unwrap(), &self.0.clock);
            let seen = if self.0.has_no_fence { store.load(clock, key)?.map(|entry| entry.version) } else { seen };
            write(&mut store, clock, seen)?
        };
        self.reach().await?;
        Ok(swapped)
    }

    /// Records another call of this process, which removes expired entries.
    pub(super) fn write_another(&self) {
        let mut store = self.0.store.lock().unwrap();
        let key = LedgerKey::new(store.id(), "another");
        let seen = store.load(&self.0.clock, key).ok().flatten().map(|entry| entry.version);
        let written = store.swap(&self.0.clock, key, seen, Arc::default(), Duration::from_secs(1), None);
        assert!(matches!(written, Ok(Swapped::Done(_))), "{written:?}");
    }
}

impl Ledger for GatedLedger {
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        Box::pin(async { Ok(self.0.store.lock().unwrap().id()) })
    }

    fn now(&self) -> LedgerTime {
        self.0.clock.now()
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        Box::pin(async move {
            self.reach().await?;
            let entry = self.0.store.lock().unwrap().load(&self.0.clock, key)?;
            self.reach().await?;
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
        Box::pin(self.write(key, seen, move |store, clock, seen| store.swap(clock, key, seen, value, keep, before)))
    }

    fn finish<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(self.write(key, seen, move |store, clock, seen| store.finish(clock, key, seen, value, keep)))
    }
}
