//! A ledger that yields to other tasks, as a ledger behind a network does.

use std::{sync::Arc, time::Duration};

use tokio::task::yield_now;

use crate::engine::{
    call::ledger_time::LedgerTime,
    durable::ledger::{
        Ledger, LedgerCapacity, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, MemoryLedger, Swapped,
    },
};

/// A memory ledger that yields to other tasks before and after each operation. This way, a test can cut off a request
/// between any two changes of the call's record.
#[derive(Default)]
pub(crate) struct Hesitant(MemoryLedger);

impl Ledger for Hesitant {
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        hesitate(self.0.id())
    }

    fn now(&self) -> LedgerTime {
        self.0.now()
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        hesitate(self.0.load(key))
    }

    fn swap<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> LedgerFuture<'a, Swapped> {
        hesitate(self.0.swap(key, seen, value, keep, before))
    }

    fn finish<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> LedgerFuture<'a, Swapped> {
        hesitate(self.0.finish(key, seen, value, keep))
    }

    fn is_shared(&self) -> bool {
        self.0.is_shared()
    }

    fn room(&self) -> Option<LedgerCapacity> {
        self.0.room()
    }
}

fn hesitate<'a, T: Send + 'a>(answer: LedgerFuture<'a, T>) -> LedgerFuture<'a, T> {
    Box::pin(async move {
        yield_now().await;
        let answer = answer.await;
        yield_now().await;
        answer
    })
}
