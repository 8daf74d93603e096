//! Tests of writes that share a transaction.

use std::fs;

use tokio::task::JoinSet;

use super::{
    super::{Ledger as _, LedgerKey, LedgerTime, LedgerVersion, StoreFile, Swapped, entries::QueuedSwap},
    HOUR, LedgerError, SqliteStore, TempLedger, load, write,
};

/// Runs `writes` in one batch, as the thread of the ledger does for concurrent calls.
async fn together(ledger: &SqliteStore, writes: Vec<QueuedSwap>) -> Vec<Result<Swapped, LedgerError>> {
    ledger.0.worker.run(move |store: &mut StoreFile| Ok(store.write(&writes))).await.unwrap()
}

#[tokio::test]
async fn each_write_has_its_own_result() {
    let temp = TempLedger::new();
    let ledger = temp.ledger();
    let id = ledger.id().await.unwrap();
    let seen = write(&ledger, "there", None, b"1").await.unwrap();
    let write =
        |name, seen, value: &[u8], before| QueuedSwap::new(LedgerKey::new(id, name), seen, value.into(), HOUR, before);
    let stranger = LedgerKey::new(super::LedgerId::random(), "new");
    let results = together(
        &ledger,
        vec![
            write("new", None, b"2", None),
            write("new", None, b"3", None),
            write("there", Some(seen), b"4", None),
            write("there", Some(LedgerVersion(99)), b"5", None),
            write("late", None, b"6", Some(LedgerTime(1))),
            QueuedSwap::new(stranger, None, b"7"[..].into(), HOUR, None),
        ],
    )
    .await;
    let [
        Ok(Swapped::Done(new)),
        Ok(Swapped::Conflict(Some(second))),
        Ok(Swapped::Done(_)),
        Ok(Swapped::Conflict(_)),
        Ok(Swapped::TooLate),
        Err(LedgerError::Replaced),
    ] = &results[..]
    else {
        panic!("{results:?}")
    };
    assert_eq!((second.version, &*second.value), (*new, &b"2"[..]), "the second write of an entry sees the first");
    assert_eq!(&*load(&ledger, id, "there").await.unwrap().unwrap().value, b"4");
    assert_eq!(load(&ledger, id, "late").await.unwrap(), None);
}

#[tokio::test]
async fn a_write_that_does_not_fit_does_not_affect_the_others() {
    let temp = TempLedger::new();
    let ledger = SqliteStore::with_limit(temp.path(), 1 << 20).unwrap();
    let id = ledger.id().await.unwrap();
    let write = |name, value: Vec<u8>| QueuedSwap::new(LedgerKey::new(id, name), None, value.into(), HOUR, None);
    let results =
        together(&ledger, vec![write("a", vec![1]), write("large", vec![2; 800_000]), write("b", vec![3])]).await;
    assert!(matches!(results[..], [Ok(Swapped::Done(_)), Err(LedgerError::Full), Ok(Swapped::Done(_))]), "{results:?}");
    for name in ["a", "b"] {
        assert!(load(&ledger, id, name).await.unwrap().is_some());
    }
}

/// SQLite reports a full disk in the middle of the transaction.
#[tokio::test]
async fn writes_one_by_one_if_the_transaction_fails() {
    let temp = TempLedger::new();
    let ledger = temp.ledger();
    let id = ledger.id().await.unwrap();
    let seen = write(&ledger, "there", None, b"1").await.unwrap();
    ledger.0.worker.run(StoreFile::allow_no_more_pages).await.unwrap();
    let write = |name, seen, value: Vec<u8>| QueuedSwap::new(LedgerKey::new(id, name), seen, value.into(), HOUR, None);
    let writes = vec![write("there", Some(seen), vec![2]), write("large", None, vec![3; 200_000])];
    let results = together(&ledger, writes).await;
    assert!(matches!(results[..], [Ok(Swapped::Done(_)), Err(LedgerError::OutOfSpace(_))]), "{results:?}");
    assert_eq!(*load(&ledger, id, "there").await.unwrap().unwrap().value, [2]);
}

/// Each transaction writes at least four pages to the log. If 200 writes take fewer pages, they shared transactions.
#[tokio::test]
async fn concurrent_writes_share_transactions() {
    const PAGE: u64 = 4096;
    let temp = TempLedger::new();
    let ledger = temp.ledger();
    let log = || fs::metadata(temp.beside("-wal")).unwrap().len();
    let before = log();
    let mut tasks = JoinSet::new();
    for number in 0..200 {
        let ledger = ledger.clone();
        tasks.spawn(async move { write(&ledger, &format!("call:{number}"), None, b"1").await.unwrap() });
    }
    tasks.join_all().await;
    assert_eq!(temp.count("SELECT count(*) FROM entry"), 200);
    let pages = (log() - before) / PAGE;
    assert!(pages < 200, "{pages} pages for 200 writes");
}
