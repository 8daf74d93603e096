//! Tests of `finish`, which writes the last value of an entry. A ledger is allowed to discard this value.

use std::sync::Arc;

use tokio::time::{Instant, sleep};

use super::tested_store::{Attempts, LONG, SHORT, TestedStore, expect};
use crate::engine::durable::ledger::{Ledger, LedgerEntry, LedgerId, LedgerKey, LedgerVersion, Swapped};

pub(super) async fn finished_entry_stays_without_its_value(store: &TestedStore<impl Ledger>) {
    let mut names = Vec::new();
    // The names of calls are ids. A ledger can store less for them than for other names.
    for prefix in [String::new(), format!("{}:", store.name)] {
        let mut attempts = Attempts::new();
        let name = loop {
            attempts.begin();
            let name = format!("{prefix}{}", LedgerId::random());
            if finishes_before_expiry(store, &name).await {
                break name;
            }
        };
        names.push(name);
    }
    sleep(2 * SHORT).await;
    for name in names {
        is_finished(expect(store.other.load(LedgerKey::new(store.id, &name)).await));
    }
}

/// Finishes a new entry, and tries what must fail before and after. Returns false if the open entry has expired before,
/// because the test was stopped for a second.
async fn finishes_before_expiry(store: &TestedStore<impl Ledger>, name: &str) -> bool {
    let key = LedgerKey::new(store.id, name);
    let absent = finish(store, key, Some(LedgerVersion(1))).await;
    assert_eq!(
        absent,
        Swapped::Conflict(None),
        "`finish` with a version must return `Conflict` if the entry is absent"
    );
    let start = Instant::now();
    let swapped = expect(store.one.swap(key, None, b"open"[..].into(), SHORT, None).await);
    let Swapped::Done(seen) = swapped else { panic!("the first `swap` of a key must succeed: {swapped:?}") };
    let conflict = finish(store, key, None).await;
    let open = Swapped::Conflict(Some(LedgerEntry { value: b"open"[..].into(), version: seen }));
    if conflict != open && SHORT <= start.elapsed() {
        return false;
    }
    assert_eq!(conflict, open, "`finish` without the current version must return `Conflict`");
    let finished = finish(store, key, Some(seen)).await;
    if finished == Swapped::Conflict(None) && SHORT <= start.elapsed() {
        return false;
    }
    assert!(matches!(finished, Swapped::Done(_)), "`finish` with the current version must succeed: {finished:?}");
    for seen in [None, Some(seen)] {
        is_finished(expect(store.other.load(key).await));
        let swapped = expect(store.other.swap(key, seen, Arc::default(), LONG, None).await);
        let Swapped::Conflict(entry) = swapped else { panic!("a finished entry was overwritten: {swapped:?}") };
        is_finished(entry);
        let Swapped::Conflict(entry) = finish(store, key, seen).await else { panic!("`finish` succeeded twice") };
        is_finished(entry);
    }
    true
}

pub(super) async fn finished_entry_expires(store: &TestedStore<impl Ledger>) {
    let mut attempts = Attempts::new();
    let (start, finished) = loop {
        attempts.begin();
        let start = Instant::now();
        let seen = store.write(None, b"open", SHORT).await;
        let finished = expect(store.one.finish(store.key(), Some(seen), b"last"[..].into(), SHORT).await);
        if finished != Swapped::Conflict(None) || start.elapsed() < SHORT {
            break (start, finished);
        }
    };
    assert!(matches!(finished, Swapped::Done(_)), "`finish` with the current version must succeed: {finished:?}");
    store.is_gone(start, SHORT).await;
}

/// Tests that `finish` does not shorten the time for which an earlier `swap` keeps the entry.
pub(super) async fn finished_entry_keeps_the_longest_keep_time(store: &TestedStore<impl Ledger>) {
    let id = LedgerId::random().to_string();
    let key = LedgerKey::new(store.id, &id);
    let before = store.one.now().after(LONG);
    let swapped = expect(store.one.swap(key, None, b"open"[..].into(), SHORT / 10, Some(before)).await);
    let Swapped::Done(seen) = swapped else { panic!("the first `swap` of a key must succeed: {swapped:?}") };
    let finished = expect(store.other.finish(key, Some(seen), b"last"[..].into(), SHORT / 10).await);
    assert!(matches!(finished, Swapped::Done(_)), "`finish` with the current version must succeed: {finished:?}");
    sleep(SHORT).await;
    is_finished(expect(store.one.load(key).await));
}

async fn finish(store: &TestedStore<impl Ledger>, key: LedgerKey<'_>, seen: Option<LedgerVersion>) -> Swapped {
    expect(store.one.finish(key, seen, b"last"[..].into(), LONG).await)
}

fn is_finished(entry: Option<LedgerEntry>) {
    let value = entry.expect("`load` must return a finished entry until it expires").value;
    assert!(
        *value == *b"last" || value.is_empty(),
        "a finished entry must keep its last value or become empty, not change to {value:?}"
    );
}
