//! A ledger that measures how long its operations take.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::{Ledger, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerRoom, LedgerVersion, Swapped};
use crate::engine::call::{
    hold::LedgerError,
    ledger_time::LedgerTime,
    observer::{LedgerOperation, Observer as _, observer},
};

struct Timed(Arc<dyn Ledger>);

/// Wraps the ledger so that the duration of each operation is reported. Returns the ledger unchanged if telemetry does
/// not need the durations.
pub(crate) fn timed(ledger: Arc<dyn Ledger>) -> Arc<dyn Ledger> {
    if observer().times_ledger() { Arc::new(Timed(ledger)) } else { ledger }
}

/// Measures the duration of one ledger operation.
struct Timer {
    start: Instant,
    name: &'static str,
}

impl Timer {
    fn start(name: &'static str) -> Self {
        Self { start: Instant::now(), name }
    }

    fn end(&self, error: Option<&LedgerError>, is_conflict: bool) {
        let operation = LedgerOperation { name: self.name, took: self.start.elapsed(), error, is_conflict };
        observer().ledger_operation(&operation);
    }
}

impl Ledger for Timed {
    /// Returns the ledger's id. Reports only failures, because the id is usually cached.
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        let timer = Timer::start("id");
        Box::pin(async move {
            let result = self.0.id().await;
            if let Err(error) = &result {
                timer.end(Some(error), false);
            }
            result
        })
    }

    fn is_shared(&self) -> bool {
        self.0.is_shared()
    }

    fn room(&self) -> Option<LedgerRoom> {
        self.0.room()
    }

    fn now(&self) -> LedgerTime {
        self.0.now()
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        let timer = Timer::start("load");
        Box::pin(async move {
            let result = self.0.load(key).await;
            timer.end(result.as_ref().err(), false);
            result
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
        let timer = Timer::start("swap");
        Box::pin(async move {
            let result = self.0.swap(key, seen, value, keep, before).await;
            timer.end(result.as_ref().err(), matches!(result, Ok(Swapped::Conflict(_))));
            result
        })
    }

    fn finish<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> LedgerFuture<'a, Swapped> {
        let timer = Timer::start("finish");
        Box::pin(async move {
            let result = self.0.finish(key, seen, value, keep).await;
            timer.end(result.as_ref().err(), matches!(result, Ok(Swapped::Conflict(_))));
            result
        })
    }
}
