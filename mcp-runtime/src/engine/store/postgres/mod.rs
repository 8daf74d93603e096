//! A store in a PostgreSQL database.
//!
//! It uses `tokio-postgres`, which is leaner than `sqlx`: the store needs no checked queries, and a few shared
//! connections carry the concurrent operations of a process. `schema.sql` has the tables and the functions.

mod connection;
mod error;
mod ledger;
mod runs;
mod schema;
#[cfg(test)]
mod tests;

use std::{fmt, sync::Arc, time::Duration};

use tokio_postgres::{
    Socket,
    tls::{MakeTlsConnect, NoTls, TlsConnect},
};

pub use self::error::PostgresStoreError;
use self::{connection::PostgresConnections, ledger::OpenDatabase};
use super::{
    listener::RunListener,
    open::StoreUrl,
    parts::{Migrating, Store, StoreParts},
    sql::{BYTES, number},
    time::{REPLIES, SeenTime},
};
use crate::base::mutex::Mutex;

/// The default number of connections.
const CONNECTIONS: usize = 4;

/// A store in a PostgreSQL database (version 12 or newer), for any number of instances on any number of machines: the
/// [`Ledger`](crate::store::Ledger) of calls, and the [runs](crate::runs).
///
/// Every instance needs the same database and the same keys ([`KeyRing`](crate::store::KeyRing)). Then a load balancer can send
/// each round of a call to any instance.
///
/// ```no_run
/// use mcp_runtime::{prelude::*, store::PostgresStore};
///
/// # async fn server() -> Result<Server, mcp_runtime::store::PostgresStoreError> {
/// let store = PostgresStore::connect("postgres://mcp@db.example.internal/app").await?;
/// let server = Server::new("flights", "1.0.0").store(store);
/// # Ok(server)
/// # }
/// ```
///
/// # Guarantees
///
/// These guarantees hold if the database keeps what it has committed:
///
/// - If a client sends the same round twice, even to different instances, the second request gets the reply of the
///   first request, or waits for this reply. Only the answers in the first request count.
/// - If an instance dies between two rounds, the call is not affected. If an instance dies during a round, another
///   instance takes over when the lease has expired (30 s). If `after` or a step had begun, the outcome is unknown: the
///   client gets an error that says so, and nothing begins a second time.
/// - If an instance stalls for longer than its lease, it cannot write any more. The result of the instance that took
///   over counts.
/// - While the database is unavailable, nothing begins and nothing is lost, and clients can retry the same request. The
///   next operation connects again.
/// - A database that crashes and restarts continues: every commit waits until it is on disk, also if the setting
///   `synchronous_commit` of the server is `off`. With `fsync = off`, a restarted server counts as another ledger.
/// - A database that may have lost commits counts as another ledger: one that was emptied, dropped and created again,
///   restored from a dump or from an archive, or whose replica has taken over. Open calls then end with an error that
///   says so, and never run again.
///
/// Two changes cannot be detected: a copy of the data directory that is put back while no instance runs, and rows that
/// other programs delete. After you have put back a copy, run `DELETE FROM mcp_ledger`. Then the store is another
/// ledger.
///
/// # For operators
///
/// **Tables.** Their names begin with `mcp_`. They are in the first schema of the `search_path`; the URL can name
/// another schema: `?options=-csearch_path%3Dmcp`. The store creates them when it connects, if they do not exist or are
/// those of an earlier version. For a server that may not create tables, run the command `store migrate` of the program,
/// or the script of [`migration`](Self::migration), as a user who may. The script begins with the rights that the server
/// needs. Programs of the previous version can use the new tables, so a deployment can be updated step by step.
///
/// **Failover.** A replica that takes over can lack the last commits, so it counts as another ledger, and open calls
/// end. If no commit can be lost, because `synchronous_standby_names` names the replica, declare this with
/// [`durable`](PostgresStoreBuilder::durable), and the calls continue. Then name all hosts in the URL:
/// `postgres://mcp@one,two/app?target_session_attrs=read-write`.
///
/// **Poolers.** A pooler between the server and the database must pool sessions, not transactions.
///
/// **Size.** New calls are rejected when the entries of the ledger take half of
/// [1 GiB](PostgresStoreBuilder::limit). The other half is for open calls. A finished call leaves one bit until it
/// expires, and its reply for [5 minutes](PostgresStoreBuilder::keep_replies), or for less if a quarter of the limit is
/// used. A call with an idempotency key takes about 700 bytes instead of that bit. Each write removes a few expired
/// entries. The runs have [limits of their own](crate::runs#limits).
///
/// **Clocks.** Entries and states expire by the ledger's own time. Every write stores that time. It never runs
/// backwards, because it is the latest of three times: the stored time, the wall clock of the database server, and the
/// last time that the instance has seen plus the monotonic time since then. The wall clocks of the instances do not
/// matter. If the clock of the database server is set back, nothing changes; if it jumps ahead, open calls expire early.
///
/// # Cost
///
/// An operation is one round trip and one function call of the database. A round of a call is one load and three swaps,
/// and each swap waits until it is on disk. An operation that takes longer than 5 s fails. A process has up to
/// [4 connections](PostgresStoreBuilder::connections), and one more if it has runs, on which it hears of the runs that
/// other processes write.
///
/// Clones share the same connections, which belong to the async runtime that made them.
#[derive(Clone)]
pub struct PostgresStore(Arc<OpenDatabase>);

/// Builds a connection to PostgreSQL. See [`PostgresStore::builder`].
#[derive(Clone, Debug)]
#[must_use]
pub struct PostgresStoreBuilder {
    url: StoreUrl,
    durable: bool,
    bytes: u64,
    replies: Duration,
    connections: usize,
}

impl PostgresStore {
    /// Connects to the database without TLS, and creates the tables if they do not exist.
    ///
    /// # Errors
    /// Fails if the URL is not valid, if the database cannot be reached within 5 s or is a replica, or if there are no
    /// tables and the user may not create them.
    pub async fn connect(url: &str) -> Result<Self, PostgresStoreError> {
        Self::builder(url).connect().await
    }

    /// Creates a builder, for a connection whose settings are not the defaults.
    ///
    /// ```no_run
    /// use mcp_runtime::store::PostgresStore;
    ///
    /// # async fn example() -> Result<(), mcp_runtime::store::PostgresStoreError> {
    /// let store = PostgresStore::builder("postgres://mcp@localhost/app").connections(8).connect().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn builder(url: &str) -> PostgresStoreBuilder {
        PostgresStoreBuilder {
            url: StoreUrl(url.to_owned()),
            durable: false,
            bytes: BYTES,
            replies: REPLIES,
            connections: CONNECTIONS,
        }
    }

    /// Returns the SQL script that creates the tables and functions, or changes those of an earlier version. It can run
    /// any number of times, for example with `psql`. It begins with the rights that the server needs.
    ///
    /// ```
    /// use mcp_runtime::store::PostgresStore;
    ///
    /// assert!(PostgresStore::migration().contains("CREATE TABLE IF NOT EXISTS mcp_run "));
    /// ```
    pub const fn migration() -> &'static str {
        schema::MIGRATION
    }
}

impl PostgresStoreBuilder {
    /// Declares that this database keeps all commits, even when a replica takes over. With this setting, open calls
    /// continue after such an event. If the database still loses the record of a call, that call can run again.
    ///
    /// Use this with a replica that is in `synchronous_standby_names`, or with a service that stores its log on several
    /// machines before it acknowledges a commit. Use the same setting on all instances.
    pub fn durable(mut self) -> Self {
        self.durable = true;
        self
    }

    /// Sets how many bytes the entries of the ledger can take. New calls can use half of them. Default: 1 GiB. Use the
    /// same setting on all instances.
    pub fn limit(mut self, bytes: u64) -> Self {
        self.bytes = bytes;
        self
    }

    /// Sets how long the reply of a finished call is kept. Default: 5 minutes. If a client repeats the call later, the
    /// client gets an error saying that the reply is no longer stored, and nothing runs again.
    pub fn keep_replies(mut self, replies: Duration) -> Self {
        self.replies = replies;
        self
    }

    /// Sets how many connections the process makes at most, at least 1. Default: 4. A connection runs one operation at a
    /// time, so more connections carry more concurrent calls.
    pub fn connections(mut self, connections: usize) -> Self {
        self.connections = connections;
        self
    }

    /// Connects to the database without TLS, and creates the tables if they do not exist.
    ///
    /// # Errors
    /// See [`PostgresStore::connect`].
    pub async fn connect(self) -> Result<PostgresStore, PostgresStoreError> {
        self.connect_with(NoTls).await
    }

    /// Connects like [`connect`](Self::connect), but with TLS. For example, the crate `tokio-postgres-rustls` provides
    /// `tls`.
    ///
    /// # Errors
    /// See [`PostgresStore::connect`].
    pub async fn connect_with<T>(self, tls: T) -> Result<PostgresStore, PostgresStoreError>
    where
        T: MakeTlsConnect<Socket> + Clone + Send + Sync + 'static,
        T::Stream: Send + 'static,
        T::TlsConnect: Send + 'static,
        <T::TlsConnect as TlsConnect<Socket>>::Future: Send + 'static,
    {
        let connections = Arc::new(PostgresConnections::new(&self.url.0, tls, self.connections)?);
        schema::prepare(&connections).await?;
        let shared = OpenDatabase {
            connections,
            is_durable: self.durable,
            most_bytes: number(self.bytes),
            replies: self.replies,
            time: SeenTime::default(),
            known: Mutex::default(),
            listener: RunListener::default(),
        };
        shared.ask_for_id().await?;
        Ok(PostgresStore(Arc::new(shared)))
    }
}

impl Store for PostgresStore {
    fn into_parts(self) -> StoreParts {
        let connections = Arc::clone(&self.0.connections);
        let migrate = move || -> Migrating {
            let connections = Arc::clone(&connections);
            Box::pin(async move {
                schema::migrate(&connections).await?;
                Ok(format!("PostgreSQL at {}: the tables have version {}", connections.name(), schema::VERSION))
            })
        };
        StoreParts { migrate: Some(Arc::new(migrate)), ..StoreParts::new(self.clone(), self) }
    }
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore").field("database", &self.0.connections.name()).finish_non_exhaustive()
    }
}
