//! Tests of the clock of a ledger.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::tested_store::{Attempts, LONG, SHORT, TestedStore, expect};
use crate::engine::{
    call::ledger_time::LedgerTime,
    durable::ledger::{Ledger, LedgerEntry, LedgerVersion, Swapped},
};

impl<L: Ledger> TestedStore<L> {
    async fn swap_before(&self, seen: Option<LedgerVersion>, value: &[u8], before: LedgerTime) -> Swapped {
        expect(self.one.swap(self.key(), seen, value.into(), Duration::ZERO, Some(before)).await)
    }
}

pub(super) async fn time_advances_for_all_instances(store: &TestedStore<impl Ledger>) {
    let (start, began) = (store.one.now(), Instant::now());
    store.write(None, b"written", LONG).await;
    store.load().await;
    assert!(start <= store.other.now(), "the ledger's time must be the same for all instances");
    sleep(SHORT / 10).await;
    let (passed, elapsed) = (store.one.now().since(start), began.elapsed());
    // Both are rounded down to whole milliseconds.
    assert!(
        SHORT / 10 <= passed + Duration::from_millis(1),
        "the ledger's time advanced by only {passed:?} in {elapsed:?}"
    );
}

pub(super) async fn swap_is_rejected_after_its_deadline(store: &TestedStore<impl Ledger>) {
    let late = store.one.now();
    assert_eq!(
        store.swap_before(None, b"late", late).await,
        Swapped::TooLate,
        "`swap` must return `TooLate` if the ledger's time has reached the deadline `before`"
    );
    assert_eq!(store.load().await, None, "a `swap` that is too late must not write");
    let Swapped::Done(version) = store.swap_before(None, b"in time", late.after(LONG)).await else {
        panic!("a `swap` before its deadline must succeed")
    };
    assert_eq!(
        store.swap_before(Some(version), b"late", late).await,
        Swapped::TooLate,
        "`swap` must return `TooLate` if the ledger's time has reached the deadline `before`"
    );
    assert_eq!(
        store.swap_before(None, b"late", late).await,
        Swapped::TooLate,
        "if the version differs and the deadline has passed, `swap` must return `TooLate`, not `Conflict`"
    );
    let conflict = store.swap_before(None, b"in time", late.after(LONG)).await;
    let entry = LedgerEntry { value: b"in time"[..].into(), version };
    assert_eq!(
        conflict,
        Swapped::Conflict(Some(entry.clone())),
        "if the version differs and the deadline has not passed, `swap` must return `Conflict`"
    );
    assert_eq!(store.load().await, Some(entry), "a `swap` that is too late must not write");
}

pub(super) async fn entry_is_kept_until_the_deadline_of_its_swap(store: &TestedStore<impl Ledger>) {
    let mut attempts = Attempts::new();
    let (before, swapped) = loop {
        attempts.begin();
        let before = store.one.now().after(2 * SHORT);
        let swapped = store.swap_before(None, b"written", before).await;
        // Too late is right if the test was stopped until the deadline.
        if swapped != Swapped::TooLate || store.one.now() < before {
            break (before, swapped);
        }
    };
    assert!(matches!(swapped, Swapped::Done(_)), "a `swap` before its deadline must succeed: {swapped:?}");
    loop {
        let now = store.one.now();
        let loaded = store.load().await;
        let again = store.swap_before(None, b"again", before).await;
        assert!(!matches!(again, Swapped::Done(_)), "an entry must be kept until the deadline of its `swap`");
        if again == Swapped::TooLate {
            return;
        }
        assert!(now < before, "`swap` must return `TooLate` if the ledger's time has reached the deadline `before`");
        assert!(
            loaded.is_some() || before <= store.one.now(),
            "an entry must be kept until the deadline of its `swap`"
        );
        sleep(SHORT / 20).await;
    }
}
