//! Ledgers in files.

use std::{
    fs,
    path::{Path, PathBuf},
    process,
    sync::{
        Arc, Once,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use mcp_runtime::{Ledger, SqliteLedger};

/// Where one ledger is. It stays when the test is over: calls that are parked keep their server, and so its ledger.
pub(crate) struct Place(PathBuf);

impl Place {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        static OLD: Once = Once::new();
        let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("once");
        OLD.call_once(|| remove_old(&all));
        let directory = all.join(format!("{}-{}", process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
        fs::create_dir_all(&directory).unwrap();
        Self(directory.join("ledger.db"))
    }

    /// With a connection of its own, as each process has.
    pub(crate) fn ledger(&self) -> Arc<dyn Ledger> {
        Arc::new(SqliteLedger::open(&self.0).unwrap())
    }
}

/// Removes what earlier runs have left.
fn remove_old(all: &Path) {
    for directory in fs::read_dir(all).into_iter().flatten().flatten() {
        let age = directory.metadata().and_then(|metadata| metadata.modified()).map(|time| time.elapsed());
        if matches!(age, Ok(Ok(age)) if Duration::from_secs(600) < age) {
            drop(fs::remove_dir_all(directory.path()));
        }
    }
}
