//! The ledger in the database.

use std::{sync::Arc, time::Duration};

use super::PostgresStore;
use crate::engine::{
    call::ledger_time::LedgerTime,
    durable::ledger::{Ledger, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, Swapped},
};

impl Ledger for PostgresStore {
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        Box::pin(async move { Ok(self.0.id().await?) })
    }

    fn now(&self) -> LedgerTime {
        self.0.time.now()
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        Box::pin(self.0.load(key))
    }

    fn swap<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(self.0.write(key, seen, value, keep, before, None))
    }

    fn finish<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(self.0.write(key, seen, value, keep, None, Some(self.0.replies)))
    }
}
