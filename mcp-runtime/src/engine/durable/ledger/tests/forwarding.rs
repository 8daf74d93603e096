//! A ledger for tests of servers that need another one than the default.

use std::{sync::Arc, time::Duration};

use super::super::{Ledger, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, MemoryLedger, Swapped};
use crate::engine::call::ledger_time::LedgerTime;

/// A ledger that forwards each operation to a ledger in memory.
pub(crate) struct ForwardingLedger {
    memory: MemoryLedger,
    is_shared: bool,
    before_write: Box<dyn Fn() + Send + Sync>,
}

impl ForwardingLedger {
    /// Creates a ledger that says that other processes can read it.
    pub(crate) fn shared() -> Self {
        Self { memory: MemoryLedger::new(), is_shared: true, before_write: Box::new(|| {}) }
    }

    /// Creates a ledger of this process only, which calls `before_write` before each write.
    pub(crate) fn observed(before_write: impl Fn() + Send + Sync + 'static) -> Self {
        Self { memory: MemoryLedger::new(), is_shared: false, before_write: Box::new(before_write) }
    }
}

impl Ledger for ForwardingLedger {
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        self.memory.id()
    }

    fn is_shared(&self) -> bool {
        self.is_shared
    }

    fn now(&self) -> LedgerTime {
        self.memory.now()
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        self.memory.load(key)
    }

    fn swap<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> LedgerFuture<'a, Swapped> {
        (self.before_write)();
        self.memory.swap(key, seen, value, keep, before)
    }
}
