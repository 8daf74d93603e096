//! A store of runs in a PostgreSQL database, for the processes that reach it.
//!
//! It uses `tokio-postgres`, which is leaner than `sqlx`: the store needs neither a pool nor checked queries, and one
//! connection carries the concurrent operations of a process.

mod connection;
mod rows;
#[cfg(test)]
mod tests;

use std::{sync::Arc, time::Duration};

use tokio_postgres::{
    Socket,
    tls::{MakeTlsConnect, NoTls, TlsConnect},
};

use self::connection::PostgresConnection;
use super::{InstanceBeat, RunFilter, RunInsertion, RunLimits, RunRecord, RunStore, RunStoreError, RunStoreFuture};

/// How long an operation may take.
const WITHIN: Duration = Duration::from_secs(5);

/// A store of runs in a PostgreSQL database (version 12 or newer), which any number of server processes can share. Runs
/// survive the end of their process.
///
/// The store creates the tables `mcp_run` and `mcp_run_beat`, and the function `mcp_run_insert`, in the first schema of
/// the `search_path`. The URL can name another schema: `?options=-csearch_path%3Druns`. If the connection breaks, the
/// next operation connects again. An operation fails if it takes longer than 5 seconds.
///
/// ```no_run
/// use mcp_runtime::runs::{PostgresRunStore, Runs};
///
/// # async fn start() -> Result<(), Box<dyn std::error::Error>> {
/// let runs = Runs::new(PostgresRunStore::connect("postgres://runs@localhost/app").await?);
/// # drop(runs);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct PostgresRunStore(Arc<PostgresConnection>);

impl PostgresRunStore {
    /// Connects to the database without TLS, and creates the tables if they do not exist.
    ///
    /// # Errors
    /// Fails if the URL is not valid, if the database cannot be reached, or if the database user may not create tables.
    /// The error text says what to do, and does not contain the password.
    pub async fn connect(url: &str) -> Result<Self, RunStoreError> {
        Self::connect_with(url, NoTls).await
    }

    /// Connects like [`connect`](Self::connect), but with TLS. For example, the crate `tokio-postgres-rustls` provides
    /// `tls`.
    ///
    /// # Errors
    /// See [`connect`](Self::connect).
    pub async fn connect_with<T>(url: &str, tls: T) -> Result<Self, RunStoreError>
    where
        T: MakeTlsConnect<Socket> + Clone + Send + Sync + 'static,
        T::Stream: Send + 'static,
        T::TlsConnect: Send + 'static,
        <T::TlsConnect as TlsConnect<Socket>>::Future: Send + 'static,
    {
        let connection = PostgresConnection::new(url, tls)?;
        connection.within(rows::create(&connection)).await?;
        Ok(Self(Arc::new(connection)))
    }
}

impl RunStore for PostgresRunStore {
    fn insert<'a>(&'a self, run: &'a RunRecord, limits: RunLimits) -> RunStoreFuture<'a, RunInsertion> {
        Box::pin(self.0.within(rows::insert(&self.0, run, limits)))
    }

    fn load<'a>(&'a self, id: &'a str) -> RunStoreFuture<'a, Option<RunRecord>> {
        Box::pin(self.0.within(rows::load(&self.0, id)))
    }

    fn replace<'a>(&'a self, run: &'a RunRecord) -> RunStoreFuture<'a, bool> {
        Box::pin(self.0.within(rows::replace(&self.0, run)))
    }

    fn list<'a>(&'a self, filter: &'a RunFilter) -> RunStoreFuture<'a, Vec<RunRecord>> {
        Box::pin(self.0.within(rows::list(&self.0, filter)))
    }

    fn beat<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, Vec<InstanceBeat>> {
        Box::pin(self.0.within(rows::beat(&self.0, instance)))
    }

    fn forget<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, ()> {
        Box::pin(self.0.within(rows::forget(&self.0, instance)))
    }

    fn remove_ended<'a>(&'a self, tool: &'a str, before: u64, limits: RunLimits) -> RunStoreFuture<'a, usize> {
        Box::pin(self.0.within(rows::remove_ended(&self.0, tool, before, limits)))
    }
}
