//! Tests of the error messages for operators.

use std::fs;

use super::{SqliteStore, TempLedger};

#[test]
fn rejects_other_files_and_leaves_them_alone() {
    for garbage in [b"not a database".repeat(100), b"short".to_vec()] {
        let temp = TempLedger::new();
        fs::write(temp.path(), &garbage).unwrap();
        assert_eq!(temp.refusal(), "is not a SQLite database: give the store a file of its own");
        assert_eq!(fs::read(temp.path()).unwrap(), garbage);
    }
}

#[test]
fn rejects_other_databases_and_leaves_them_alone() {
    let temp = TempLedger::new();
    temp.connection().execute_batch("CREATE TABLE accounts (name TEXT)").unwrap();
    let before = fs::read(temp.path()).unwrap();
    assert_eq!(temp.refusal(), "is a database of another program: give the store a file of its own");
    assert_eq!(fs::read(temp.path()).unwrap(), before);
}

#[test]
fn rejects_a_newer_format() {
    let temp = TempLedger::new();
    drop(temp.ledger());
    temp.connection().pragma_update(None, "user_version", 4).unwrap();
    assert_eq!(
        temp.refusal(),
        "has format 4, but this program supports 3: run the newer program that created it, or use another file"
    );
    temp.connection().pragma_update(None, "user_version", 3).unwrap();
    drop(temp.ledger());
}

#[test]
fn rejects_a_directory() {
    let temp = TempLedger::new();
    fs::create_dir(temp.path()).unwrap();
    let refusal = temp.refusal();
    assert!(refusal.ends_with("in a directory that this user can write"), "{refusal}");
}

#[test]
fn rejects_a_damaged_file() {
    let temp = TempLedger::new();
    temp.connection().execute_batch("CREATE TABLE t (a); INSERT INTO t VALUES (1)").unwrap();
    let mut bytes = fs::read(temp.path()).unwrap();
    bytes[100..2000].fill(0xFF);
    fs::write(temp.path(), bytes).unwrap();
    let refusal = temp.refusal();
    assert!(refusal.starts_with("is damaged ("), "{refusal}");
    assert!(refusal.contains("then remove it and the files beside it"), "{refusal}");
}

#[cfg(unix)]
#[test]
fn files_are_private_to_the_user() {
    use std::os::unix::fs::PermissionsExt as _;
    let temp = TempLedger::new();
    let _ledger = temp.ledger();
    for end in ["", "-wal", "-shm"] {
        let mode = fs::metadata(temp.beside(end)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "ledger.db{end}");
    }
}

#[test]
fn relative_paths_are_made_absolute() {
    let relative = std::path::Path::new("no-such-directory/ledger.db");
    let words = SqliteStore::open(relative).unwrap_err().to_string();
    let full = std::env::current_dir().unwrap().join(relative);
    assert!(words.starts_with(&format!("the store `{}` cannot be created: ", full.display())), "{words}");
}
