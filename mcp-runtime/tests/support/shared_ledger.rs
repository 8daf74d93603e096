//! A ledger that counts as shared, with failures that a test switches on.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use mcp_runtime::store::{
    Ledger, LedgerEntry, LedgerError, LedgerFuture, LedgerId, LedgerKey, LedgerTime, LedgerVersion, MemoryLedger,
    Swapped,
};

#[derive(Clone, Default)]
pub(crate) struct SharedLedger {
    memory: MemoryLedger,
    pub(crate) is_away: Switch,
    pub(crate) hangs: Switch,
    pub(crate) is_out_of_space: Switch,
    /// If set, the next write succeeds but is reported as failed.
    pub(crate) is_unsure: Switch,
    /// How many seconds the clock of the ledger is behind.
    pub(crate) behind: Arc<AtomicU64>,
    pub(crate) loads: Arc<AtomicUsize>,
    created: Arc<AtomicUsize>,
    /// All values that were ever written.
    given: Arc<Mutex<Vec<u8>>>,
}

#[derive(Clone, Default)]
pub(crate) struct Switch(Arc<AtomicBool>);

impl Switch {
    pub(crate) fn set(&self, on: bool) {
        self.0.store(on, Ordering::SeqCst);
    }

    fn is_on(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

impl SharedLedger {
    /// Returns how many entries were created, one for each call.
    pub(crate) fn begun(&self) -> usize {
        self.created.load(Ordering::SeqCst)
    }

    /// Whether a value with these bytes was ever written.
    pub(crate) fn has_seen(&self, bytes: &[u8]) -> bool {
        self.given.lock().unwrap().windows(bytes.len()).any(|window| window == bytes)
    }

    async fn check(&self) -> Result<(), LedgerError> {
        if self.hangs.is_on() {
            std::future::pending::<()>().await;
        }
        if self.is_away.is_on() { Err(LedgerError::failed("away: redis://user:hunter2@ledger")) } else { Ok(()) }
    }
}

impl Ledger for SharedLedger {
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        self.memory.id()
    }

    fn now(&self) -> LedgerTime {
        LedgerTime(self.memory.now().0 - 1000 * self.behind.load(Ordering::SeqCst))
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        self.loads.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move {
            self.check().await?;
            tokio::task::yield_now().await;
            self.memory.load(key).await
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
            self.check().await?;
            if self.is_out_of_space.is_on() {
                return Err(LedgerError::OutOfSpace("the disk is full".into()));
            }
            self.given.lock().unwrap().extend_from_slice(&value);
            let swapped = self.memory.swap(key, seen, value, keep, before).await?;
            let is_new = seen.is_none() && matches!(swapped, Swapped::Done(_));
            self.created.fetch_add(usize::from(is_new), Ordering::SeqCst);
            if self.is_unsure.0.swap(false, Ordering::SeqCst) {
                return Err(LedgerError::failed("no answer"));
            }
            Ok(swapped)
        })
    }
}
