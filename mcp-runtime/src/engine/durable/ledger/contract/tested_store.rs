//! The store that a contract test uses.

use std::{sync::Arc, time::Duration};

use tokio::time::{Instant, sleep};

use crate::engine::{
    call::lease::LedgerError,
    durable::ledger::{Ledger, LedgerEntry, LedgerId, LedgerKey, LedgerVersion, Swapped, interface::WITHOUT_DEADLINE},
};

/// How long to keep entries that must not expire during the test.
pub(super) const LONG: Duration = Duration::from_secs(600);
/// How long to keep entries that must expire during the test.
pub(super) const SHORT: Duration = Duration::from_secs(1);
/// A ledger must remove an entry within this time after the entry's `keep` time has passed.
const PATIENCE: Duration = Duration::from_secs(30);

/// Two handles to one store.
pub(super) struct TestedStore<L> {
    pub(super) one: Arc<L>,
    pub(super) other: Arc<L>,
    pub(super) id: LedgerId,
    pub(super) name: String,
}

impl<L: Ledger> TestedStore<L> {
    pub(super) fn key(&self) -> LedgerKey<'_> {
        LedgerKey::new(self.id, &self.name)
    }

    pub(super) async fn load(&self) -> Option<LedgerEntry> {
        expect(self.other.load(self.key()).await)
    }

    pub(super) async fn swap(&self, seen: Option<LedgerVersion>, value: &[u8], keep: Duration) -> Swapped {
        expect(self.one.swap(self.key(), seen, value.into(), keep, None).await)
    }

    pub(super) async fn write(&self, seen: Option<LedgerVersion>, value: &[u8], keep: Duration) -> LedgerVersion {
        match self.swap(seen, value, keep).await {
            Swapped::Done(version) => version,
            Swapped::Conflict(entry) => {
                panic!("`swap` was called with the current version {seen:?}, but returned a conflict: {entry:?}")
            }
            Swapped::TooLate => panic!("{WITHOUT_DEADLINE}"),
        }
    }

    pub(super) fn handle(&self, number: u8) -> Arc<L> {
        Arc::clone(if number.is_multiple_of(2) { &self.one } else { &self.other })
    }

    pub(super) async fn is_gone(&self, since: Instant, keep: Duration) {
        while self.load().await.is_some() {
            let over = since.elapsed().saturating_sub(keep);
            assert!(over < PATIENCE, "an entry is still present {over:?} after its `keep` time; it must be removed");
            sleep(keep / 20).await;
        }
        let kept = since.elapsed();
        assert!(keep <= kept, "an entry was removed after {kept:?}, but must be kept for {keep:?}");
    }
}

/// Attempts of what expires if the test is stopped for a second. Panics after the last one.
pub(super) struct Attempts(u32);

impl Attempts {
    pub(super) fn new() -> Self {
        Self(20)
    }

    pub(super) fn begin(&mut self) {
        self.0 =
            self.0.checked_sub(1).expect("the ledger is too slow: what is kept for a second or two always expires");
    }
}

pub(super) fn expect<T>(result: Result<T, LedgerError>) -> T {
    result.unwrap_or_else(|error| panic!("an operation of the ledger failed: {error:?}"))
}
