//! A process's way to the ledger.

use std::{
    future::pending,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use super::points::{Go, Points};
use crate::{
    Ledger, LedgerEntry, LedgerError, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, MemoryLedger, Swapped,
};

/// Each operation waits at a point before it takes effect, and at one after.
#[derive(Clone)]
pub(super) struct Way(Arc<Inside>);

struct Inside {
    process: usize,
    points: Points,
    ledger: Arc<Mutex<MemoryLedger>>,
    /// The process is killed: nothing it does reaches anything.
    is_dead: AtomicBool,
    is_away: AtomicBool,
    /// Swaps write over whatever is there.
    has_no_fence: bool,
}

impl Way {
    pub(super) fn new(process: usize, points: Points, ledger: Arc<Mutex<MemoryLedger>>, has_no_fence: bool) -> Self {
        let (is_dead, is_away) = (AtomicBool::new(false), AtomicBool::new(false));
        Self(Arc::new(Inside { process, points, ledger, is_dead, is_away, has_no_fence }))
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

    fn ledger(&self) -> MemoryLedger {
        self.0.ledger.lock().unwrap().clone()
    }
}

impl Ledger for Way {
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        Box::pin(async { self.ledger().id().await })
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        Box::pin(async move {
            self.reach().await?;
            let entry = self.ledger().load(key).await?;
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
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(async move {
            self.reach().await?;
            let ledger = self.ledger();
            let seen = if self.0.has_no_fence { ledger.load(key).await?.map(|entry| entry.version) } else { seen };
            let swapped = ledger.swap(key, seen, value, keep).await?;
            self.reach().await?;
            Ok(swapped)
        })
    }
}
