//! A ledger whose operations are timed.

use std::{sync::Arc, time::Duration};

use super::meters::OperationMeter;
use crate::{
    call::ledger_time::LedgerTime,
    durable::ledger::{Ledger, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerRoom, LedgerVersion, Swapped},
};

struct Timed(Arc<dyn Ledger>);

/// The same ledger, its operations timed.
pub(crate) fn timed(ledger: Arc<dyn Ledger>) -> Arc<dyn Ledger> {
    Arc::new(Timed(ledger))
}

impl Ledger for Timed {
    /// Most often it is remembered: that is no operation.
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        let meter = OperationMeter::new("id");
        Box::pin(async move {
            let result = self.0.id().await;
            if let Err(error) = &result {
                meter.end(Some(error), false);
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
        let meter = OperationMeter::new("load");
        Box::pin(async move {
            let result = self.0.load(key).await;
            meter.end(result.as_ref().err(), false);
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
        let meter = OperationMeter::new("swap");
        Box::pin(async move {
            let result = self.0.swap(key, seen, value, keep, before).await;
            meter.end(result.as_ref().err(), matches!(result, Ok(Swapped::Conflict(_))));
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
        let meter = OperationMeter::new("finish");
        Box::pin(async move {
            let result = self.0.finish(key, seen, value, keep).await;
            meter.end(result.as_ref().err(), matches!(result, Ok(Swapped::Conflict(_))));
            result
        })
    }
}
