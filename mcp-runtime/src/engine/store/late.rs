//! A store that could not be reached when the server started. It is opened when an operation needs it.

use std::{sync::Arc, time::Duration};

use tokio::{sync::OnceCell, time::Instant};

use super::{
    StoreOpenError,
    open::{StoreUrl, open_one},
};
use crate::{
    base::mutex::Mutex,
    engine::{
        call::{lease::LedgerError, ledger_time::LedgerTime},
        durable::ledger::{Ledger, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, Swapped},
    },
};

/// How long after a failure the store is not tried again, so that requests do not wait for it one after the other.
const PAUSE: Duration = Duration::from_secs(5);

/// The ledger of a store that is not open yet. Its operations fail until the store can be opened.
pub(super) struct LateLedger {
    url: StoreUrl,
    opened: OnceCell<Arc<dyn Ledger>>,
    failed: Mutex<Instant>,
}

#[derive(Debug, thiserror::Error)]
enum NotOpen {
    #[error(transparent)]
    Failed(StoreOpenError),
    #[error("the store could not be reached a few seconds ago")]
    Recently,
}

impl LateLedger {
    /// Creates the ledger of a store that could not be reached just now.
    pub(super) fn new(url: &str) -> Self {
        Self { url: StoreUrl(url.to_owned()), opened: OnceCell::new(), failed: Mutex::new(Instant::now()) }
    }

    async fn opened(&self) -> Result<&Arc<dyn Ledger>, LedgerError> {
        self.opened.get_or_try_init(|| self.open()).await.map_err(LedgerError::failed)
    }

    async fn open(&self) -> Result<Arc<dyn Ledger>, NotOpen> {
        if self.failed.lock().elapsed() < PAUSE {
            return Err(NotOpen::Recently);
        }
        let store = open_one(&self.url.0).await.inspect_err(|_| *self.failed.lock() = Instant::now());
        Ok(store.map_err(NotOpen::Failed)?.ledgers.into_first())
    }
}

impl Ledger for LateLedger {
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        Box::pin(async move { self.opened().await?.id().await })
    }

    fn now(&self) -> LedgerTime {
        self.opened.get().map_or_else(LedgerTime::of_wall_clock, |ledger| ledger.now())
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        Box::pin(async move { self.opened().await?.load(key).await })
    }

    fn swap<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(async move { self.opened().await?.swap(key, seen, value, keep, before).await })
    }

    fn finish<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(async move { self.opened().await?.finish(key, seen, value, keep).await })
    }
}
