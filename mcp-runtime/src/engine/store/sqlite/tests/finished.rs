//! Tests of finished calls.

use std::time::Duration;

use super::{
    super::file::connect, HOUR, Ledger as _, LedgerEntry, LedgerKey, SqliteStore, Swapped, TempLedger, load, write,
};

const MIB: u64 = 1024 * 1024;

#[tokio::test]
async fn finished_calls_never_fill_the_file_and_none_is_lost() {
    const CALLS: u64 = 5000;
    let temp = TempLedger::new();
    let ledger = SqliteStore::with_limit(temp.path(), 2 * MIB).unwrap();
    let id = ledger.id().await.unwrap();
    let calls: Vec<_> = (0..CALLS).map(|number| format!("{number:016x}{:016x}", number ^ 0xa5a5)).collect();
    // Concurrently, for speed.
    for calls in calls.chunks(250) {
        let finished = calls.iter().map(|name| finish(&ledger, name));
        futures_of(finished).await;
    }
    let mut replies = 0;
    for name in &calls {
        let Some(LedgerEntry { value, version }) = load(&ledger, id, name).await.unwrap() else { panic!("{name}") };
        replies += u64::from(!value.is_empty());
        let again = ledger.swap(LedgerKey::new(id, name), None, b"2"[..].into(), HOUR, None).await.unwrap();
        assert_eq!(again, Swapped::Conflict(Some(LedgerEntry { value, version })));
    }
    assert!((100..2000).contains(&replies), "{replies} replies");
    assert!(!load(&ledger, id, &calls[CALLS as usize - 1]).await.unwrap().unwrap().value.is_empty(), "the newest");
    assert!(load(&ledger, id, &calls[0]).await.unwrap().unwrap().value.is_empty(), "the oldest");
    assert!(temp.count("SELECT count(*) FROM finished") <= 3);
    write(&ledger, "open", None, &[7; 100_000]).await.unwrap();

    // Another process finds the finished calls too.
    let other = temp.ledger();
    assert!(load(&other, id, &calls[0]).await.unwrap().is_some());
}

#[tokio::test]
async fn finished_calls_expire() {
    let temp = TempLedger::new();
    let ledger = temp.ledger();
    let id = ledger.id().await.unwrap();
    let name = "0123456789abcdef0123456789abcdef";
    finish(&ledger, name).await;
    temp.connection().execute("DELETE FROM entry", []).unwrap();
    let entry = load(&ledger, id, name).await.unwrap().unwrap();
    assert_eq!(entry.value.len(), 0);
    let later = ledger.now().after(HOUR + HOUR);
    temp.connection().execute("UPDATE ledger SET time = ?1", [i64::try_from(later.0).unwrap()]).unwrap();
    assert_eq!(load(&ledger, id, name).await.unwrap(), None);
    write(&ledger, "another", None, b"1").await.unwrap();
    assert_eq!(temp.count("SELECT count(*) FROM finished"), 0);
}

/// If the time of an instance is ahead, its states can be valid for longer than `finish` demands.
#[tokio::test]
async fn finished_call_keeps_the_longest_keep_time() {
    let temp = TempLedger::new();
    let ledger = temp.ledger();
    let id = ledger.id().await.unwrap();
    let key = LedgerKey::new(id, "0123456789abcdef0123456789abcdef");
    let before = ledger.now().after(HOUR);
    let swapped = ledger.swap(key, None, b"0"[..].into(), HOUR, Some(before)).await.unwrap();
    let Swapped::Done(seen) = swapped else { panic!("{swapped:?}") };
    ledger.finish(key, Some(seen), b"1"[..].into(), Duration::ZERO).await.unwrap();
    temp.connection().execute("DELETE FROM entry", []).unwrap();
    let later = ledger.now().after(HOUR / 2);
    temp.connection().execute("UPDATE ledger SET time = ?1", [i64::try_from(later.0).unwrap()]).unwrap();
    assert!(ledger.load(key).await.unwrap().is_some(), "its state is still valid");
}

#[tokio::test]
async fn migrates_a_file_of_the_earlier_format() {
    let temp = TempLedger::new();
    let id = {
        let ledger = temp.ledger();
        write(&ledger, "call:1", None, b"1").await.unwrap();
        ledger.id().await.unwrap()
    };
    temp.wait_until_closed();
    let earlier = connect(&temp.path()).unwrap();
    earlier
        .execute_batch(
            "DROP INDEX entry_by_end; ALTER TABLE entry DROP COLUMN finished; DROP TABLE finished; DROP TABLE run; \
             DROP TABLE beat; DROP TABLE written_run; PRAGMA user_version = 1;",
        )
        .unwrap();
    drop(earlier);
    let ledger = temp.ledger();
    assert_eq!(ledger.id().await.unwrap(), id);
    assert_eq!(&*load(&ledger, id, "call:1").await.unwrap().unwrap().value, b"1");
    finish(&ledger, "0123456789abcdef0123456789abcdef").await;
    assert_eq!(temp.count("PRAGMA user_version"), 3);
}

async fn finish(ledger: &SqliteStore, name: &str) {
    let key = LedgerKey::new(ledger.id().await.unwrap(), name);
    let swapped = ledger.swap(key, None, b"0"[..].into(), HOUR, None).await.unwrap();
    let Swapped::Done(seen) = swapped else { panic!("{swapped:?}") };
    let finished = ledger.finish(key, Some(seen), [7; 500][..].into(), HOUR).await.unwrap();
    assert!(matches!(finished, Swapped::Done(_)), "{finished:?}");
}

async fn futures_of(futures: impl Iterator<Item = impl Future<Output = ()>>) {
    let mut futures: Vec<_> = futures.map(Box::pin).collect();
    std::future::poll_fn(|cx| {
        futures.retain_mut(|future| future.as_mut().poll(cx).is_pending());
        if futures.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
}
