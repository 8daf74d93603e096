//! Ledgers for tests, in memory, with outages.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use mcp_runtime::{
    Ledger, LedgerEntry, LedgerError, LedgerFuture, LedgerId, LedgerKey, LedgerTime, LedgerVersion, MemoryLedger,
    Swapped,
};

/// A ledger that counts as shared by several processes, and can be unavailable.
#[derive(Clone, Default)]
pub(crate) struct Shared {
    ledger: MemoryLedger,
    away: Arc<AtomicBool>,
    /// All bytes that were stored.
    seen: Arc<Mutex<Vec<u8>>>,
}

impl Shared {
    pub(crate) fn set_away(&self, away: bool) {
        self.away.store(away, Ordering::SeqCst);
    }

    /// Whether these bytes were ever stored.
    pub(crate) fn has_seen(&self, bytes: &[u8]) -> bool {
        self.seen.lock().unwrap().windows(bytes.len()).any(|window| window == bytes)
    }

    fn check(&self) -> Result<(), LedgerError> {
        if self.away.load(Ordering::SeqCst) { Err(LedgerError::failed("no connection")) } else { Ok(()) }
    }
}

impl Ledger for Shared {
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        self.ledger.id()
    }

    fn now(&self) -> LedgerTime {
        self.ledger.now()
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        Box::pin(async move {
            self.check()?;
            self.ledger.load(key).await
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
        Box::pin(async move {
            self.check()?;
            self.seen.lock().unwrap().extend_from_slice(&value);
            self.ledger.swap(key, seen, value, keep, before).await
        })
    }
}
