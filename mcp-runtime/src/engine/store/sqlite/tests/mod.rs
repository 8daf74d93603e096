//! Tests of the SQLite ledger.

mod capacity;
mod files;
mod finished;
mod operators;
mod processes;
mod runs;
mod time;
mod together;

use std::{
    env, fs,
    path::PathBuf,
    process,
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use rusqlite::Connection;

use super::{Ledger, LedgerEntry, LedgerId, LedgerKey, LedgerVersion, SqliteStore, Swapped};
use crate::{edge::testing::ledger_contract, engine::call::lease::LedgerError};

const HOUR: Duration = Duration::from_secs(3600);

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fulfils_the_ledger_contract() {
    let temp = TempLedger::new();
    ledger_contract(async || temp.ledger()).await;
}

/// Operations run on the ledger's own thread, so they do not block the threads of the runtime.
#[tokio::test]
async fn a_slow_disk_does_not_block_the_runtime() {
    let temp = TempLedger::new();
    let ledger = temp.ledger();
    let locked = temp.locked();
    let id = ledger.id().await.unwrap();
    let swap = ledger.swap(LedgerKey::new(id, "call:1"), None, b"1"[..].into(), HOUR, None);
    let unlock = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        drop(locked);
    };
    let (swapped, ()) = tokio::join!(swap, unlock);
    assert!(matches!(swapped, Ok(Swapped::Done(_))), "{swapped:?}");
}

#[tokio::test]
async fn fails_operations_that_wait_too_long() {
    let temp = TempLedger::new();
    let ledger = temp.ledger();
    let _locked = temp.locked();
    let id = ledger.id().await.unwrap();
    let started = Instant::now();
    let swap = || ledger.swap(LedgerKey::new(id, "call:1"), None, b"1"[..].into(), HOUR, None);
    let (one, two, three) = tokio::join!(swap(), swap(), swap());
    for swapped in [one, two, three] {
        let words = words(swapped);
        assert!(words.ends_with("was not free within 3 s: its disk is slow, or another program keeps it locked"));
        assert!(words.contains(temp.path().to_str().unwrap()), "{words}");
    }
    // One after the other, they would take nine seconds.
    assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
}

#[tokio::test]
async fn writes_remove_expired_entries() {
    let temp = TempLedger::new();
    let ledger = temp.ledger();
    let id = ledger.id().await.unwrap();
    for number in 0..40 {
        let name = format!("short:{number}");
        ledger.swap(LedgerKey::new(id, &name), None, b"1"[..].into(), Duration::ZERO, None).await.unwrap();
    }
    let mut seen = None;
    for _ in 0..6 {
        seen = Some(write(&ledger, "long", seen, b"2").await.unwrap());
    }
    assert_eq!(temp.count("SELECT count(*) FROM entry"), 1);
}

/// A directory for one test.
struct TempLedger(PathBuf);

impl TempLedger {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("mcp-sqlite-ledger-{}-{}", process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let directory = env::temp_dir().join(name);
        fs::create_dir(&directory).unwrap();
        Self(directory)
    }

    fn path(&self) -> PathBuf {
        self.0.join("ledger.db")
    }

    fn beside(&self, end: &str) -> PathBuf {
        self.0.join(format!("ledger.db{end}"))
    }

    fn ledger(&self) -> SqliteStore {
        SqliteStore::open(self.path()).unwrap()
    }

    /// Returns the reason why the file cannot be opened.
    fn refusal(&self) -> String {
        let words = SqliteStore::open(self.path()).unwrap_err().to_string();
        let start = format!("the store `{}` ", self.path().display());
        words.strip_prefix(&start).unwrap_or_else(|| panic!("{words}")).to_owned()
    }

    /// Opens a connection to the file, as another program would.
    fn connection(&self) -> Connection {
        Connection::open(self.path()).unwrap()
    }

    fn locked(&self) -> Connection {
        let connection = self.connection();
        connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        connection
    }

    /// Waits until the ledger's thread has closed the file, which happens shortly after the ledger is dropped.
    fn wait_until_closed(&self) {
        while self.beside("-wal").exists() {
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn count(&self, query: &str) -> i64 {
        self.connection().query_one(query, [], |row| row.get(0)).unwrap()
    }
}

impl Drop for TempLedger {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

async fn write(
    ledger: &SqliteStore,
    name: &str,
    seen: Option<LedgerVersion>,
    value: &[u8],
) -> Result<LedgerVersion, LedgerError> {
    let key = LedgerKey::new(ledger.id().await?, name);
    match ledger.swap(key, seen, value.into(), HOUR, None).await? {
        Swapped::Done(version) => Ok(version),
        swapped => panic!("{swapped:?}"),
    }
}

async fn load(ledger: &SqliteStore, id: LedgerId, name: &str) -> Result<Option<LedgerEntry>, LedgerError> {
    ledger.load(LedgerKey::new(id, name)).await
}

fn words<T: std::fmt::Debug>(result: Result<T, LedgerError>) -> String {
    match result {
        Err(LedgerError::Failed(error)) => error.to_string(),
        other => panic!("{other:?}"),
    }
}
