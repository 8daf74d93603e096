//! The connections to the database. If a connection breaks, the next operation makes a new one.
//!
//! A connection runs one operation after another, and each write waits for the disk of the server. So a process has
//! several connections.

use std::{future::poll_fn, pin::Pin, str::FromStr as _, sync::Arc};

use tokio::{
    sync::{Mutex as AsyncMutex, mpsc::UnboundedSender},
    time::{Instant, timeout_at},
};
use tokio_postgres::{
    AsyncMessage, Client, Config, Connection, Error, Notification, Socket,
    config::Host,
    tls::{MakeTlsConnect, TlsConnect, TlsStream},
};

use super::error::{PostgresProblem, PostgresStoreError, WITHIN};
use crate::base::mutex::Mutex;

/// Begins a session. The server gives up an operation before its caller does, so that no lock stays behind. A commit
/// waits until the server has stored it; `remote_apply` waits even longer.
const SESSION: &str = "SELECT set_config('statement_timeout', '4500', false), \
    set_config('synchronous_commit', \
        CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)";

pub(super) struct PostgresConnections {
    /// The server and the database, without the password.
    name: String,
    connect: ConnectFn,
    most: usize,
    /// The open connections. The strong count of a client shows how many operations use it.
    open: Mutex<Vec<Arc<Client>>>,
    /// Locked by the task that makes a new connection.
    connecting: AsyncMutex<()>,
}

type ConnectFn = Box<dyn Fn(Option<UnboundedSender<Notification>>) -> Connecting + Send + Sync>;
type Connecting = Pin<Box<dyn Future<Output = Result<Client, Error>> + Send>>;

impl PostgresConnections {
    /// Prepares at most `most` connections, and makes none yet.
    pub(super) fn new<T>(url: &str, tls: T, most: usize) -> Result<Self, PostgresStoreError>
    where
        T: MakeTlsConnect<Socket> + Clone + Send + Sync + 'static,
        T::Stream: Send + 'static,
        T::TlsConnect: Send + 'static,
        <T::TlsConnect as TlsConnect<Socket>>::Future: Send + 'static,
    {
        let config = Config::from_str(url).map_err(|_| PostgresStoreError::new("", PostgresProblem::Url))?;
        let name = name(&config);
        let connect = move |notified: Option<UnboundedSender<Notification>>| -> Connecting {
            let (config, tls) = (config.clone(), tls.clone());
            Box::pin(async move {
                let (client, connection) = config.connect(tls).await?;
                tokio::spawn(drive(connection, notified));
                client.batch_execute(SESSION).await?;
                Ok(client)
            })
        };
        let (connect, open) = (Box::new(connect), Mutex::default());
        Ok(Self { name, connect, most: most.max(1), open, connecting: AsyncMutex::default() })
    }

    /// Runs the operation on one of the connections, with a time limit. Repeats an operation that the server has undone
    /// in favour of another one.
    pub(super) async fn run<T, F>(&self, operation: impl Fn(Arc<Client>) -> F) -> Result<T, PostgresStoreError>
    where
        F: Future<Output = Result<T, PostgresProblem>>,
    {
        let until = Instant::now() + WITHIN;
        self.until(until, async {
            loop {
                let client = self.client().await?;
                match timeout_at(until, operation(Arc::clone(&client))).await {
                    Ok(Err(problem)) if problem.is_undone() => {}
                    Ok(result) => return result,
                    Err(_) => {
                        // The connection can hang, so the next operation uses another one.
                        self.open.lock().retain(|other| !Arc::ptr_eq(other, &client));
                        return Err(PostgresProblem::Late);
                    }
                }
            }
        })
        .await
    }

    /// Makes a connection that is not shared, and runs the operation on it.
    pub(super) async fn run_alone<T, F>(&self, operation: impl FnOnce(Client) -> F) -> Result<T, PostgresStoreError>
    where
        F: Future<Output = Result<T, PostgresProblem>>,
    {
        let connect = async { Ok((self.connect)(None).await?) };
        let client = self.until(Instant::now() + WITHIN, connect).await?;
        operation(client).await.map_err(|problem| PostgresStoreError::new(&self.name, problem))
    }

    /// Makes a connection that is not shared, and that sends its notifications to `notified`.
    pub(super) async fn listening(
        &self,
        notified: UnboundedSender<Notification>,
        sql: &str,
    ) -> Result<Client, PostgresStoreError> {
        self.until(Instant::now() + WITHIN, async {
            let client = (self.connect)(Some(notified)).await?;
            client.batch_execute(sql).await?;
            Ok(client)
        })
        .await
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    async fn until<T>(
        &self,
        until: Instant,
        operation: impl Future<Output = Result<T, PostgresProblem>>,
    ) -> Result<T, PostgresStoreError> {
        let result = timeout_at(until, operation).await.unwrap_or(Err(PostgresProblem::Late));
        result.map_err(|problem| PostgresStoreError::new(&self.name, problem))
    }

    /// Returns a connection that is not in use. Makes a new one if all are in use, up to the limit.
    async fn client(&self) -> Result<Arc<Client>, PostgresProblem> {
        if let Some(client) = self.idle() {
            return Ok(client);
        }
        let _alone = match (self.connecting.try_lock(), self.least_used()) {
            (Ok(alone), _) => alone,
            (Err(_), Some(client)) => return Ok(client),
            (Err(_), None) => self.connecting.lock().await,
        };
        // Another task may have made a connection meanwhile.
        if let Some(client) = self.idle() {
            return Ok(client);
        }
        let new = Arc::new((self.connect)(None).await?);
        self.open.lock().push(Arc::clone(&new));
        Ok(new)
    }

    /// Returns a connection that is not in use, or the one that is used least if there can be no more.
    fn idle(&self) -> Option<Arc<Client>> {
        let client = self.least_used()?;
        // One is the pool's, and one is `client`.
        let is_idle = Arc::strong_count(&client) <= 2;
        (is_idle || self.most <= self.open.lock().len()).then_some(client)
    }

    fn least_used(&self) -> Option<Arc<Client>> {
        let mut open = self.open.lock();
        open.retain(|client| !client.is_closed());
        open.iter().min_by_key(|client| Arc::strong_count(client)).cloned()
    }
}

/// Drives a connection until it breaks or its client is dropped. The next operation of its client notices that.
async fn drive<T: TlsStream + Unpin>(
    mut connection: Connection<Socket, T>,
    notified: Option<UnboundedSender<Notification>>,
) {
    while let Some(Ok(message)) = poll_fn(|cx| connection.poll_message(cx)).await {
        if let (AsyncMessage::Notification(notification), Some(notified)) = (message, &notified) {
            drop(notified.send(notification));
        }
    }
}

fn name(config: &Config) -> String {
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(host)) => host.clone(),
        #[cfg(unix)]
        Some(Host::Unix(path)) => path.display().to_string(),
        None => "localhost".to_owned(),
    };
    match config.get_dbname() {
        Some(database) => format!("`{host}`, database `{database}`"),
        None => format!("`{host}`"),
    }
}
