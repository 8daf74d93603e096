//! Tests of size limits and full disks.

use super::{
    super::StoreFile, HOUR, Ledger as _, LedgerError, LedgerKey, SqliteStore, Swapped, TempLedger, load, write,
};

const MIB: u64 = 1024 * 1024;

#[tokio::test]
async fn full_ledger_rejects_new_calls_but_lets_open_ones_grow() {
    let temp = TempLedger::new();
    let ledger = SqliteStore::with_limit(temp.path(), 2 * MIB).unwrap();
    let value = vec![7; 100_000];
    let mut versions = Vec::new();
    let full = loop {
        match write(&ledger, &format!("call:{}", versions.len()), None, &value).await {
            Ok(version) => versions.push(version),
            Err(error) => break error,
        }
    };
    assert!(matches!(full, LedgerError::Full), "{full:?}");
    assert!((8..=11).contains(&versions.len()), "half of it: {}", versions.len());
    let larger = vec![8; 230_000];
    let mut grown = 0;
    let full = loop {
        match write(&ledger, &format!("call:{grown}"), Some(versions[grown]), &larger).await {
            Ok(_) => grown += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(full, LedgerError::Full), "{full:?}");
    assert!(6 < grown, "the other half: {grown}");
    let id = ledger.id().await.unwrap();
    for (number, version) in versions.iter().enumerate().skip(grown) {
        let entry = load(&ledger, id, &format!("call:{number}")).await.unwrap().unwrap();
        assert_eq!((entry.version, entry.value.len()), (*version, value.len()), "a rejected write changes nothing");
    }
    write(&ledger, &format!("call:{grown}"), Some(versions[grown]), b"small").await.unwrap();
    assert!(std::fs::metadata(temp.path()).unwrap().len() <= 2 * MIB);
}

#[tokio::test]
async fn full_ledger_has_room_again_after_entries_expire() {
    let temp = TempLedger::new();
    let ledger = SqliteStore::with_limit(temp.path(), MIB).unwrap();
    let id = ledger.id().await.unwrap();
    let value = [7; 5000];
    for number in 0.. {
        let name = format!("old:{number}");
        match ledger.swap(LedgerKey::new(id, &name), None, value[..].into(), HOUR, None).await {
            Ok(Swapped::Done(_)) => {}
            Err(LedgerError::Full) => break,
            other => panic!("{other:?}"),
        }
    }
    let later = i64::try_from(ledger.now().after(2 * HOUR).0).unwrap();
    temp.connection().execute("UPDATE ledger SET time = ?1", [later]).unwrap();
    // Larger than what one write usually removes.
    let large = vec![8; 200_000];
    let swapped = ledger.swap(LedgerKey::new(id, "large"), None, large.into(), HOUR, None).await;
    assert!(matches!(swapped, Ok(Swapped::Done(_))), "{swapped:?}");
}

/// SQLite reports a full disk in the middle of a transaction. The test uses the page limit to simulate a full disk.
#[tokio::test]
async fn a_full_disk_loses_nothing() {
    let temp = TempLedger::new();
    let ledger = temp.ledger();
    let version = write(&ledger, "call:1", None, b"1").await.unwrap();
    ledger.0.worker.run(StoreFile::allow_no_more_pages).await.unwrap();
    let large = vec![8; 200_000];
    for (name, seen) in [("call:1", Some(version)), ("call:2", None)] {
        let written = write(&ledger, name, seen, &large).await;
        let Err(LedgerError::OutOfSpace(error)) = written else { panic!("{written:?}") };
        let path = temp.path();
        let expected =
            format!("the store `{}` cannot be written, its disk is full: free some space there", path.display());
        assert_eq!(error.to_string(), expected);
    }
    let id = ledger.id().await.unwrap();
    assert_eq!(load(&ledger, id, "call:1").await.unwrap().unwrap().version, version);
    write(&ledger, "call:1", Some(version), b"2").await.unwrap();
}
