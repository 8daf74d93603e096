//! The file goes, comes back, and is another one.

use std::{collections::HashSet, fs};

use super::{
    super::{
        error::Trouble,
        file::{connect, set_up},
    },
    HOUR, Ledger as _, LedgerError, LedgerKey, Place, SqliteLedger, load, words, write,
};

#[tokio::test]
async fn what_was_written_is_there_when_it_is_opened_again() {
    let place = Place::new();
    let (id, version) = {
        let ledger = place.ledger();
        let version = write(&ledger, "call:1", None, b"1").await.unwrap();
        (ledger.id().await.unwrap(), version)
    };
    let ledger = place.ledger();
    let entry = load(&ledger, id, "call:1").await.unwrap().unwrap();
    assert_eq!((&*entry.value, entry.version), (&b"1"[..], version));
    let next = write(&ledger, "call:2", None, b"2").await.unwrap();
    assert_ne!(next, version, "versions do not begin anew");
}

#[tokio::test]
async fn a_file_that_is_removed_under_it_is_another_ledger() {
    let place = Place::new();
    let (ledger, other) = (place.ledger(), place.ledger());
    let id = ledger.id().await.unwrap();
    write(&ledger, "call:1", None, b"1").await.unwrap();
    for end in ["", "-wal", "-shm"] {
        fs::remove_file(place.beside(end)).unwrap();
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
async fn another_file_in_its_place_is_another_ledger() {
    let (place, elsewhere) = (Place::new(), Place::new());
    drop(elsewhere.ledger());
    let ledger = place.ledger();
    let id = ledger.id().await.unwrap();
    write(&ledger, "call:1", None, b"1").await.unwrap();
    for end in ["-wal", "-shm"] {
        fs::remove_file(place.beside(end)).unwrap();
    }
    elsewhere.wait_until_closed();
    fs::rename(elsewhere.path(), place.path()).unwrap();
    let swapped = ledger.swap(LedgerKey::new(id, "call:1"), None, [][..].into(), HOUR, None).await;
    assert!(matches!(swapped, Err(LedgerError::Replaced)), "{swapped:?}");
    let new = ledger.id().await.unwrap();
    assert_eq!(load(&ledger, new, "call:1").await.unwrap(), None);
}

/// The copy says that it is the same one, and does not know the calls since.
#[tokio::test]
async fn a_copy_in_its_place_is_another_ledger() {
    let place = Place::new();
    let (ledger, other) = (place.ledger(), place.ledger());
    let id = ledger.id().await.unwrap();
    place.connection().query_one("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    let backup = place.beside(".backup");
    fs::copy(place.path(), &backup).unwrap();
    write(&ledger, "call:1", None, b"1").await.unwrap();
    for end in ["-wal", "-shm"] {
        fs::remove_file(place.beside(end)).unwrap();
    }
    fs::rename(backup, place.path()).unwrap();
    for ledger in [&ledger, &other] {
        let loaded = load(ledger, id, "call:1").await;
        assert!(matches!(loaded, Err(LedgerError::Replaced)), "{loaded:?}");
    }
    assert_eq!(ledger.id().await.unwrap(), other.id().await.unwrap());
}

/// With it, SQLite would take another file's changes for those of the new one.
#[tokio::test]
async fn a_log_without_its_file_is_refused() {
    let place = Place::new();
    let ledger = place.ledger();
    let id = ledger.id().await.unwrap();
    write(&ledger, "call:1", None, b"1").await.unwrap();
    fs::remove_file(place.path()).unwrap();
    let log = place.beside("-wal");
    let advice = format!("was removed, but not `{}`: stop the servers that use it, and remove that too", log.display());
    assert_eq!(place.refusal(), advice);
    let failed = words(load(&ledger, id, "call:1").await);
    assert!(failed.ends_with(&advice), "{failed}");
    fs::remove_file(log).unwrap();
    assert!(place.refusal().contains("ledger.db-shm"));
    fs::remove_file(place.beside("-shm")).unwrap();
    let loaded = load(&ledger, id, "call:1").await;
    assert!(matches!(loaded, Err(LedgerError::Replaced)), "it goes on by itself: {loaded:?}");
}

#[tokio::test]
async fn many_may_make_it_at_once() {
    let place = Place::new();
    let path = place.path();
    let open = |_| {
        let path = path.clone();
        tokio::task::spawn_blocking(move || SqliteLedger::open(path).unwrap())
    };
    let mut ids = Vec::new();
    for opening in (0..8).map(open).collect::<Vec<_>>() {
        ids.push(opening.await.unwrap().id().await.unwrap());
    }
    ids.dedup();
    assert_eq!(ids.len(), 1, "{ids:?}");
}

/// As many processes do: in one, openings wait for each other.
#[test]
fn whoever_comes_while_it_is_made_takes_it_for_nothing_else() {
    for _ in 0..60 {
        let place = Place::new();
        fs::File::create(place.path()).unwrap();
        let set_up = || {
            let mut connection = connect(&place.path()).unwrap();
            loop {
                match set_up(&mut connection, 1000) {
                    Err(Trouble::Busy) => {}
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
