//! A store of runs in a SQLite file, for the processes of one machine.

mod file;
mod rows;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use rusqlite::Connection;

use self::file::RunFileError;
use super::{InstanceBeat, RunFilter, RunInsertion, RunLimits, RunRecord, RunStore, RunStoreError, RunStoreFuture};
use crate::mutex::Mutex;

/// A store of runs in a file, which all processes of one machine can use. Runs survive the end of their process.
///
/// The file must be on a local disk. Written data survives the end of any process. If the machine loses power, the last
/// changes can be lost. A run can then have an earlier status again.
///
/// ```
/// use mcp_runtime::runs::{Runs, SqliteRunStore};
///
/// # let folder = std::env::temp_dir().join(format!("runs-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("runs.db");
/// let runs = Runs::new(SqliteRunStore::open(path)?);
/// # drop(runs);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SqliteRunStore(Arc<OpenFile>);

#[derive(Debug)]
struct OpenFile {
    path: PathBuf,
    connection: Mutex<Connection>,
}

impl SqliteRunStore {
    /// Opens the file, and creates it if it does not exist.
    ///
    /// # Errors
    /// Fails if the file cannot be created or written, or is not a file of runs. The error text names the file and says
    /// what to do.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RunStoreError> {
        let path = path.as_ref().to_owned();
        let connection = file::open(&path).map_err(|error| failed(&path, &error))?;
        Ok(Self(Arc::new(OpenFile { path, connection: Mutex::new(connection) })))
    }

    /// Runs the operation on a thread that may block.
    fn run<'a, T: Send + 'static>(
        &self,
        operation: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> RunStoreFuture<'a, T> {
        let open = Arc::clone(&self.0);
        Box::pin(async move {
            let path = open.path.clone();
            let running = tokio::task::spawn_blocking(move || operation(&mut open.connection.lock()));
            let result = running.await.map_err(RunStoreError::new)?;
            result.map_err(|error| failed(&path, &RunFileError::from(error)))
        })
    }
}

fn failed(path: &Path, error: &RunFileError) -> RunStoreError {
    RunStoreError::new(format!("the file of runs `{}` {error}", path.display()))
}

impl RunStore for SqliteRunStore {
    fn insert<'a>(&'a self, run: &'a RunRecord, limits: RunLimits) -> RunStoreFuture<'a, RunInsertion> {
        let run = run.clone();
        self.run(move |connection| rows::insert(connection, &run, limits))
    }

    fn load<'a>(&'a self, id: &'a str) -> RunStoreFuture<'a, Option<RunRecord>> {
        let id = id.to_owned();
        self.run(move |connection| rows::load(connection, &id))
    }

    fn replace<'a>(&'a self, run: &'a RunRecord) -> RunStoreFuture<'a, bool> {
        let run = run.clone();
        self.run(move |connection| rows::replace(connection, &run))
    }

    fn list<'a>(&'a self, filter: &'a RunFilter) -> RunStoreFuture<'a, Vec<RunRecord>> {
        let filter = filter.clone();
        self.run(move |connection| rows::list(connection, &filter))
    }

    fn beat<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, Vec<InstanceBeat>> {
        let instance = instance.to_owned();
        self.run(move |connection| rows::beat(connection, &instance))
    }

    fn forget<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, ()> {
        let instance = instance.to_owned();
        self.run(move |connection| rows::forget(connection, &instance))
    }

    fn remove_ended<'a>(&'a self, tool: &'a str, before: u64, limits: RunLimits) -> RunStoreFuture<'a, usize> {
        let tool = tool.to_owned();
        self.run(move |connection| rows::remove_ended(connection, &tool, before, limits))
    }
}
