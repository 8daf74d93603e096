//! Tests that remove, restore and replace the file of a ledger.

use std::{collections::HashSet, fs};

use super::{
    super::{
        error::FileError,
        file::{connect, set_up},
    },
    HOUR, Ledger as _, LedgerError, LedgerKey, SqliteStore, TempLedger, load, words, write,
};

#[tokio::test]
async fn entries_survive_reopening() {
    let temp = TempLedger::new();
    let (id, version) = {
        let ledger = temp.ledger();
        let version = write(&ledger, "call:1", None, b"1").await.unwrap();
        (ledger.id().await.unwrap(), version)
    };
    let ledger = temp.ledger();
    let entry = load(&ledger, id, "call:1").await.unwrap().unwrap();
    assert_eq!((&*entry.value, entry.version), (&b"1"[..], version));
    let next = write(&ledger, "call:2", None, b"2").await.unwrap();
    assert_ne!(next, version, "versions do not begin anew");
}

#[tokio::test]
async fn removed_file_becomes_another_ledger() {
    let temp = TempLedger::new();
    let (ledger, other) = (temp.ledger(), temp.ledger());
    let id = ledger.id().await.unwrap();
    write(&ledger, "call:1", None, b"1").await.unwrap();
    for end in ["", "-wal", "-shm"] {
        fs::remove_file(temp.beside(end)).unwrap();
    }
    for ledger in [&ledger, &other] {
        let loaded = load(ledger, id, "call:1").await;
        assert!(matches!(loaded, Err(LedgerError::Replaced)), "{loaded:?}");
        assert_ne!(ledger.id().await.unwrap(), id);
    }
    assert_eq!(ledger.id().await.unwrap(), other.id().await.unwrap());
    let version = write(&ledger, "call:2", None, b"2").await.unwrap();
    let id = other.id().await.unwrap();
    assert_eq!(load(&other, id, "call:2").await.unwrap().unwrap().version, version);
}

#[tokio::test]
async fn replaced_file_is_another_ledger() {
    let (temp, elsewhere) = (TempLedger::new(), TempLedger::new());
    drop(elsewhere.ledger());
    let ledger = temp.ledger();
    let id = ledger.id().await.unwrap();
    write(&ledger, "call:1", None, b"1").await.unwrap();
    for end in ["-wal", "-shm"] {
        fs::remove_file(temp.beside(end)).unwrap();
    }
    elsewhere.wait_until_closed();
    fs::rename(elsewhere.path(), temp.path()).unwrap();
    let swapped = ledger.swap(LedgerKey::new(id, "call:1"), None, [][..].into(), HOUR, None).await;
    assert!(matches!(swapped, Err(LedgerError::Replaced)), "{swapped:?}");
    let new = ledger.id().await.unwrap();
    assert_eq!(load(&ledger, new, "call:1").await.unwrap(), None);
}

/// The restored copy has the same id as the original file, but lacks the latest calls.
#[tokio::test]
async fn restored_copy_is_another_ledger() {
    let temp = TempLedger::new();
    let (ledger, other) = (temp.ledger(), temp.ledger());
    let id = ledger.id().await.unwrap();
    temp.connection().query_one("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    let backup = temp.beside(".backup");
    fs::copy(temp.path(), &backup).unwrap();
    write(&ledger, "call:1", None, b"1").await.unwrap();
    for end in ["-wal", "-shm"] {
        fs::remove_file(temp.beside(end)).unwrap();
    }
    fs::rename(backup, temp.path()).unwrap();
    for ledger in [&ledger, &other] {
        let loaded = load(ledger, id, "call:1").await;
        assert!(matches!(loaded, Err(LedgerError::Replaced)), "{loaded:?}");
    }
    assert_eq!(ledger.id().await.unwrap(), other.id().await.unwrap());
}

/// If the ledger created a new file, SQLite would apply the old file's log to the new file.
#[tokio::test]
async fn rejects_a_log_without_its_file() {
    let temp = TempLedger::new();
    let ledger = temp.ledger();
    let id = ledger.id().await.unwrap();
    write(&ledger, "call:1", None, b"1").await.unwrap();
    fs::remove_file(temp.path()).unwrap();
    let log = temp.beside("-wal");
    let advice = "stop the servers that use the store, and remove that file too";
    let advice = format!("was removed, but `{}` was not: {advice}", log.display());
    assert_eq!(temp.refusal(), advice);
    let failed = words(load(&ledger, id, "call:1").await);
    assert!(failed.ends_with(&advice), "{failed}");
    fs::remove_file(log).unwrap();
    assert!(temp.refusal().contains("ledger.db-shm"));
    fs::remove_file(temp.beside("-shm")).unwrap();
    let loaded = load(&ledger, id, "call:1").await;
    assert!(matches!(loaded, Err(LedgerError::Replaced)), "it recovers: {loaded:?}");
}

#[tokio::test]
async fn concurrent_opens_create_one_ledger() {
    let temp = TempLedger::new();
    let path = temp.path();
    let open = |_| {
        let path = path.clone();
        tokio::task::spawn_blocking(move || SqliteStore::open(path).unwrap())
    };
    let mut ids = Vec::new();
    for opening in (0..8).map(open).collect::<Vec<_>>() {
        ids.push(opening.await.unwrap().id().await.unwrap());
    }
    ids.dedup();
    assert_eq!(ids.len(), 1, "{ids:?}");
}

/// Calls `set_up`, as separate processes do, because a process runs only one `open` at a time.
#[test]
fn concurrent_set_up_never_reports_a_foreign_database() {
    for _ in 0..60 {
        let temp = TempLedger::new();
        fs::File::create(temp.path()).unwrap();
        let set_up = || {
            let mut connection = connect(&temp.path()).unwrap();
            loop {
                match set_up(&mut connection, 1000) {
                    Err(FileError::Busy) => {}
                    result => return result.unwrap(),
                }
            }
        };
        let ids = std::thread::scope(|scope| {
            let setting_up: Vec<_> = (0..4).map(|_| scope.spawn(set_up)).collect();
            setting_up.into_iter().map(|thread| thread.join().unwrap()).collect::<HashSet<_>>()
        });
        assert_eq!(ids.len(), 1, "{ids:?}");
    }
}
