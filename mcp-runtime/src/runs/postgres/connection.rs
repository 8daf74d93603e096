//! The connection to the database. If the connection breaks, a new one is made.

use std::{fmt, pin::Pin, str::FromStr as _, sync::Arc};

use tokio::{sync::Mutex, time::timeout};
use tokio_postgres::{
    Client, Config, Error, Socket,
    config::Host,
    error::SqlState,
    tls::{MakeTlsConnect, TlsConnect},
};

use super::WITHIN;
use crate::runs::RunStoreError;

pub(super) struct PostgresConnection {
    /// The server and the database, without the password.
    name: String,
    connect: ConnectFn,
    client: Mutex<Option<Arc<Client>>>,
}

type ConnectFn = Box<dyn Fn() -> Connecting + Send + Sync>;
type Connecting = Pin<Box<dyn Future<Output = Result<Client, Error>> + Send>>;

/// Why an operation failed.
pub(super) enum PostgresError {
    Database(Error),
    /// A row is not a run.
    Row(&'static str),
}

impl From<Error> for PostgresError {
    fn from(error: Error) -> Self {
        Self::Database(error)
    }
}

impl PostgresConnection {
    pub(super) fn new<T>(url: &str, tls: T) -> Result<Self, RunStoreError>
    where
        T: MakeTlsConnect<Socket> + Clone + Send + Sync + 'static,
        T::Stream: Send + 'static,
        T::TlsConnect: Send + 'static,
        <T::TlsConnect as TlsConnect<Socket>>::Future: Send + 'static,
    {
        let config = Config::from_str(url).map_err(|_| {
            // The error of the parser can contain the URL, and with it the password.
            RunStoreError::new("the URL is not valid; write `postgres://user:password@host/database`")
        })?;
        let name = name(&config);
        let connect = move || -> Connecting {
            let (config, tls) = (config.clone(), tls.clone());
            Box::pin(async move {
                let (client, connection) = config.connect(tls).await?;
                // This task ends with an error when the connection breaks. The next operation notices that.
                tokio::spawn(async move { drop(connection.await) });
                Ok(client)
            })
        };
        Ok(Self { name, connect: Box::new(connect), client: Mutex::new(None) })
    }

    /// Returns the connection, and connects if there is none.
    pub(super) async fn client(&self) -> Result<Arc<Client>, PostgresError> {
        let mut client = self.client.lock().await;
        if let Some(client) = client.as_ref().filter(|client| !client.is_closed()) {
            return Ok(Arc::clone(client));
        }
        let new = Arc::new((self.connect)().await?);
        *client = Some(Arc::clone(&new));
        Ok(new)
    }

    /// Runs the operation, with a time limit.
    pub(super) async fn within<T>(
        &self,
        operation: impl Future<Output = Result<T, PostgresError>>,
    ) -> Result<T, RunStoreError> {
        let reason = match timeout(WITHIN, operation).await {
            Ok(Ok(value)) => return Ok(value),
            Ok(Err(PostgresError::Row(reason))) => reason.to_owned(),
            Ok(Err(PostgresError::Database(error))) => explained(&error),
            Err(_) => {
                // The connection can hang, so the next operation makes another connection.
                if let Ok(mut client) = self.client.try_lock() {
                    client.take();
                }
                format!("no answer within {WITHIN:?}; check that the database runs and can be reached")
            }
        };
        Err(RunStoreError::new(format!("PostgreSQL at {}: {reason}", self.name)))
    }
}

fn explained(error: &Error) -> String {
    let advice = match error.code() {
        Some(code) if *code == SqlState::INSUFFICIENT_PRIVILEGE => {
            "; the user must be allowed to create and change tables in its schema"
        }
        Some(code) if *code == SqlState::INVALID_PASSWORD || *code == SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
            "; check the user and the password in the URL"
        }
        Some(code) if *code == SqlState::INVALID_CATALOG_NAME => "; create the database first",
        Some(_) => "",
        None => "; check that the database runs and can be reached",
    };
    // The outer error contains only the kind of the error.
    let source = std::error::Error::source(error).map(|source| format!(": {source}")).unwrap_or_default();
    format!("{error}{source}{advice}")
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

impl fmt::Debug for PostgresConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresConnection").field("name", &self.name).finish_non_exhaustive()
    }
}
