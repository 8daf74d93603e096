//! A process's way to the ledger.

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
    shelf::{Clock, Shelf},
};
use crate::{Ledger, LedgerEntry, LedgerError, LedgerFuture, LedgerId, LedgerKey, LedgerTime, LedgerVersion, Swapped};

/// Each operation waits at a point before it takes effect, and at one after.
#[derive(Clone)]
pub(super) struct Way(Arc<Inside>);

struct Inside {
    process: usize,
    points: Points,
    shelf: Arc<Mutex<Shelf>>,
    clock: Clock,
    /// The process is killed: nothing it does reaches anything.
    is_dead: AtomicBool,
    is_away: AtomicBool,
    /// Swaps write over whatever is there.
    has_no_fence: bool,
}

impl Way {
    pub(super) fn new(
        process: usize,
        points: Points,
        shelf: Arc<Mutex<Shelf>>,
        clock: Clock,
        has_no_fence: bool,
    ) -> Self {
        let (is_dead, is_away) = (AtomicBool::new(false), AtomicBool::new(false));
        Self(Arc::new(Inside { process, points, shelf, clock, is_dead, is_away, has_no_fence }))
    }

    pub(super) fn kill(&self) {
        self.0.is_dead.store(true, Ordering::Relaxed);
        self.0.points.kill(self.0.process);
    }

    pub(super) fn is_away(&self, is_away: bool) {
        self.0.is_away.store(is_away, Ordering::Relaxed);
    }

    /// Comes to a point of this process, be it the ledger's or a tool's.
    pub(super) async fn pass(&self) -> Go {
        if self.0.is_dead.load(Ordering::Relaxed) {
            return pending().await;
        }
        self.0.points.pass(self.0.process).await
    }

    async fn reach(&self) -> Result<(), LedgerError> {
        if self.0.is_away.load(Ordering::Relaxed) {
            return Err(LedgerError::failed("the ledger is away"));
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
        write: impl FnOnce(&mut Shelf, &Clock, Option<LedgerVersion>) -> Result<Swapped, LedgerError>,
    ) -> Result<Swapped, LedgerError> {
        self.reach().await?;
        let swapped = {
            let (mut shelf, clock) = (self.0.shelf.lock().unwrap(), &self.0.clock);
            let seen = if self.0.has_no_fence { shelf.load(clock, key)?.map(|entry| entry.version) } else { seen };
            write(&mut shelf, clock, seen)?
        };
        self.reach().await?;
        Ok(swapped)
    }

    /// Another call of this process is written down, and what has expired goes.
    pub(super) fn write_another(&self) {
        let mut shelf = self.0.shelf.lock().unwrap();
        let key = LedgerKey::new(shelf.id(), "another");
        let seen = shelf.load(&self.0.clock, key).ok().flatten().map(|entry| entry.version);
        let written = shelf.swap(&self.0.clock, key, seen, Arc::default(), Duration::from_secs(1), None);
        assert!(matches!(written, Ok(Swapped::Done(_))), "{written:?}");
    }
}

impl Ledger for Way {
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        Box::pin(async { Ok(self.0.shelf.lock().unwrap().id()) })
    }

    fn now(&self) -> LedgerTime {
        self.0.clock.now()
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        Box::pin(async move {
            self.reach().await?;
            let entry = self.0.shelf.lock().unwrap().load(&self.0.clock, key)?;
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
        Box::pin(self.write(key, seen, move |shelf, clock, seen| shelf.swap(clock, key, seen, value, keep, before)))
    }

    fn finish<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(self.write(key, seen, move |shelf, clock, seen| shelf.finish(clock, key, seen, value, keep)))
    }
}
