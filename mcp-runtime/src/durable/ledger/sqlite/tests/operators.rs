//! What an operator is told.

use std::fs;

use super::{Place, SqliteLedger};

#[test]
fn a_file_of_something_else_is_refused_and_left_alone() {
    for garbage in [b"not a database".repeat(100), b"short".to_vec()] {
        let place = Place::new();
        fs::write(place.path(), &garbage).unwrap();
        assert_eq!(place.refusal(), "is not a SQLite database: give the ledger a file of its own");
        assert_eq!(fs::read(place.path()).unwrap(), garbage);
    }
}

#[test]
fn a_database_of_something_else_is_refused_and_left_alone() {
    let place = Place::new();
    place.connection().execute_batch("CREATE TABLE accounts (name TEXT)").unwrap();
    let before = fs::read(place.path()).unwrap();
    assert_eq!(place.refusal(), "is a database of something else: give the ledger a file of its own");
    assert_eq!(fs::read(place.path()).unwrap(), before);
}

#[test]
fn a_ledger_of_a_newer_version_is_refused() {
    let place = Place::new();
    drop(place.ledger());
    place.connection().pragma_update(None, "user_version", 3).unwrap();
    assert_eq!(
        place.refusal(),
        "has format 3, and this program knows 2: it was made by a newer one, so run that, or give this one another file"
    );
    place.connection().pragma_update(None, "user_version", 2).unwrap();
    drop(place.ledger());
}

#[test]
fn a_directory_is_refused() {
    let place = Place::new();
    fs::create_dir(place.path()).unwrap();
    let refusal = place.refusal();
    assert!(refusal.ends_with("it must be a file, and it and its directory writable for this user"), "{refusal}");
}

#[test]
fn a_damaged_file_is_refused() {
    let place = Place::new();
    place.connection().execute_batch("CREATE TABLE t (a); INSERT INTO t VALUES (1)").unwrap();
    let mut bytes = fs::read(place.path()).unwrap();
    bytes[100..2000].fill(0xFF);
    fs::write(place.path(), bytes).unwrap();
    let refusal = place.refusal();
    assert!(refusal.starts_with("is damaged ("), "{refusal}");
    assert!(refusal.contains("and remove it with the files beside it"), "{refusal}");
}

#[cfg(unix)]
#[test]
fn it_is_made_for_its_user_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    let _ledger = place.ledger();
    for end in ["", "-wal", "-shm"] {
        let mode = fs::metadata(place.beside(end)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "ledger.db{end}");
    }
}

#[test]
fn a_path_in_the_working_directory_stays_where_it_was() {
    let relative = std::path::Path::new("no-such-directory/ledger.db");
    let words = SqliteLedger::open(relative).unwrap_err().to_string();
    let full = std::env::current_dir().unwrap().join(relative);
    assert!(words.starts_with(&format!("the ledger `{}` cannot be made: ", full.display())), "{words}");
}
