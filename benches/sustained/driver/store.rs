//! The ledgers, and the limits for each.

use std::{
    env, fs,
    path::PathBuf,
    process::{self, Command},
};

use crate::{Result, client::Figures, memory_of::memory_of, redis::Redis};

#[derive(Clone, Copy)]
pub(crate) enum Store {
    Memory,
    Sqlite,
    Redis,
}

/// A store that a server can use. Dropping this value removes the store.
pub(crate) enum Place {
    Memory,
    File(PathBuf),
    Redis(Redis),
}

/// The minimum number of confirmations per second.
const RATE: f64 = 1000.0;
/// With SQLite, the minimum confirmations per second, as a multiple of the rate with one call at a time. Concurrent
/// calls are faster, because they share disk writes.
const SHARED: f64 = 5.0;
/// With SQLite, the confirmations per second that are always enough. On a disk that writes quickly, the processor limits
/// both rates, and they do not differ as much.
const ENOUGH: f64 = 2000.0;

impl Store {
    pub(crate) const ALL: [Self; 3] = [Self::Memory, Self::Sqlite, Self::Redis];

    pub(crate) fn named(name: &str) -> Result<Self> {
        let named = Self::ALL.into_iter().find(|store| store.name() == name);
        Ok(named.ok_or_else(|| format!("there is no ledger `{name}`; the ledgers are memory, sqlite and redis"))?)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Sqlite => "sqlite",
            Self::Redis => "redis",
        }
    }

    pub(crate) fn open(self) -> Result<Place> {
        let directory = || -> Result<PathBuf> {
            let directory = env::temp_dir().join(format!("mcp-sustained-{}-{}", self.name(), process::id()));
            fs::create_dir_all(&directory)?;
            Ok(directory)
        };
        Ok(match self {
            Self::Memory => Place::Memory,
            Self::Sqlite => Place::File(directory()?),
            Self::Redis => Place::Redis(Redis::start(directory()?)?),
        })
    }

    pub(crate) fn limit(self) -> String {
        match self {
            Self::Memory | Self::Redis => format!("≥ {RATE} a second, memory flat"),
            Self::Sqlite => format!("≥ {SHARED} × one at a time or {ENOUGH} a second, memory flat"),
        }
    }

    /// Returns a line for each limit that is not kept.
    pub(crate) fn broken_by(self, alone: &Figures, load: &Figures) -> Vec<String> {
        let is_quick = match self {
            Self::Memory | Self::Redis => RATE <= load.rate,
            Self::Sqlite => ENOUGH.min(SHARED * alone.rate) <= load.rate,
        };
        let limits = [
            (alone.refused + load.refused == 0, "calls are refused"),
            (is_quick, "too few confirmations a second"),
            (load.server.is_flat(), "the memory of the server grows"),
            (load.store.is_flat(), "the store grows"),
        ];
        let broken = limits.into_iter().filter(|(kept, _)| !kept);
        broken.map(|(_, words)| format!("{}: {words}", self.name())).collect()
    }
}

impl Place {
    pub(crate) fn server(&self) -> Command {
        let mut server = Command::new(env!("CARGO_BIN_EXE_sustained"));
        match self {
            Self::Memory => server.arg("memory"),
            Self::File(directory) => server.arg("sqlite").arg(directory.join("ledger.db")),
            Self::Redis(redis) => server.arg("redis").arg(redis.url()),
        };
        server
    }

    /// Returns the size of the store in bytes.
    pub(crate) fn size(&self) -> Result<u64> {
        Ok(match self {
            Self::Memory => 0,
            Self::File(directory) => fs::metadata(directory.join("ledger.db"))?.len(),
            Self::Redis(redis) => memory_of(redis.process_id(), "VmRSS")?,
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Self::File(directory) = self {
            drop(fs::remove_dir_all(directory));
        }
    }
}
