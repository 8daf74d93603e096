//! The connection to Redis, and the requests on it.

use std::time::Duration;

use redis::{
    Client, IntoConnectionInfo as _, RedisError,
    aio::{ConnectionManager, ConnectionManagerConfig},
};
use tokio::time::timeout;

use super::{
    RedisStoreBuilder,
    error::{LATE, RedisStoreError, advice},
    library::{FunctionCall, Library, LibraryReply},
};
use crate::engine::{
    durable::ledger::LedgerId,
    store::{
        listener::RunListener,
        time::{SeenTime, kept_millis},
    },
};

const LONGEST_PREFIX: usize = 64;
/// How long to wait for one answer of Redis, and for one connection attempt.
const SOON: Duration = Duration::from_secs(2);
/// The timeout of a whole operation, including a reconnection.
pub(super) const PATIENCE: Duration = Duration::from_secs(3);

pub(super) struct RedisConnection {
    pub(super) address: String,
    pub(super) prefix: Box<str>,
    library: Library,
    pub(super) listener: RunListener,
    /// Makes further connections.
    pub(super) client: Client,
    pub(super) time: SeenTime,
    /// How long the reply of a finished call is kept, in milliseconds.
    pub(super) replies: u64,
    /// Whether the author declared that Redis loses nothing in a restart.
    durable: bool,
    connection: ConnectionManager,
    /// The password in the URL, which is removed from error messages.
    password: Option<Box<str>>,
}

/// How many times an operation can be sent if its connection is lost.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Tries {
    /// The operation is sent once, because an operation whose reply is lost may have taken effect.
    One,
    /// The operation can be sent twice, because repeating it is harmless. So the loss of an idle connection causes no
    /// error.
    Two,
}

enum RedisFailure {
    Redis(RedisError),
    Late,
}

impl RedisConnection {
    pub(super) async fn connect(settings: RedisStoreBuilder) -> Result<Self, RedisStoreError> {
        let RedisStoreBuilder { url, prefix, durable, replies } = settings;
        let may_be = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte);
        if !(1..=LONGEST_PREFIX).contains(&prefix.len()) || !prefix.bytes().all(may_be) {
            return Err(RedisStoreError::Prefix);
        }
        // Fails if the program has already installed a provider, which is fine.
        drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
        let info = url.0.into_connection_info().map_err(|_| RedisStoreError::Url)?;
        let tcp = info.tcp_settings().clone().set_nodelay(true);
        // Closes the connection to a peer that vanished, so that a new connection is made.
        #[cfg(target_os = "linux")]
        let tcp = tcp.set_user_timeout(2 * SOON);
        let (address, password) = (info.addr().to_string(), info.redis_settings().password().map(Box::from));
        let client = Client::open(info.set_tcp_settings(tcp)).map_err(|_| RedisStoreError::Url)?;
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(SOON))
            .set_response_timeout(Some(SOON))
            .set_number_of_retries(2)
            .set_min_delay(Duration::from_millis(50))
            .set_max_delay(Duration::from_millis(500));
        let connection =
            ConnectionManager::new_lazy_with_config(client.clone(), config).map_err(|_| RedisStoreError::Url)?;
        let store = Self {
            address,
            prefix: prefix.into(),
            library: Library::new(),
            listener: RunListener::default(),
            client,
            time: SeenTime::default(),
            replies: kept_millis(replies),
            durable,
            connection,
            password,
        };
        store.ask_for_id().await?;
        Ok(store)
    }

    /// Asks Redis for the current id of the store.
    pub(super) async fn ask_for_id(&self) -> Result<LedgerId, RedisStoreError> {
        let mut function = self.call("ledger_id", "id");
        function.arg(LedgerId::random().to_string()).arg(u8::from(self.durable));
        let mut reply = self.used(self.ask(&function, Tries::Two).await)?;
        let id = reply.text().and_then(|id| LedgerId::from_hex(&id));
        id.ok_or_else(|| self.unknown_reply())
    }

    /// Returns the call of a function with its first key and its first arguments. The caller adds the others.
    pub(super) fn call(&self, function: &str, operation: &str) -> FunctionCall {
        let mut call = self.library.call(function);
        call.key(self.key("ledger")).arg(self.time.now().0).arg(operation);
        call
    }

    /// Returns a key of this store. Its hash tag is the prefix, so that a cluster keeps all keys on one node.
    pub(super) fn key(&self, name: &str) -> String {
        format!("{{{}}}:{name}", self.prefix)
    }

    /// Calls a function. If Redis has restarted, asks for the id of the store and calls the function again.
    pub(super) async fn run(&self, call: &FunctionCall, tries: Tries) -> Result<LibraryReply, RedisStoreError> {
        let mut reply = self.ask(call, tries).await;
        if matches!(&reply, Ok(reply) if reply.name == "restarted") {
            self.ask_for_id().await?;
            reply = self.ask(call, tries).await;
        }
        self.used(reply)
    }

    async fn ask(&self, call: &FunctionCall, tries: Tries) -> Result<LibraryReply, RedisFailure> {
        let (command, mut connection) = (call.command(), self.connection.clone());
        let asked = timeout(PATIENCE, async {
            let mut tries = tries;
            loop {
                match command.query_async(&mut connection).await {
                    Err(error) if Library::is_missing(&error) => {
                        self.library.load().exec_async(&mut connection).await?;
                    }
                    Err(error) if tries == Tries::Two && error.is_connection_dropped() => tries = Tries::One,
                    reply => return reply,
                }
            }
        });
        let reply: LibraryReply = asked.await.map_err(|_| RedisFailure::Late)?.map_err(RedisFailure::Redis)?;
        self.time.see(reply.time);
        Ok(reply)
    }

    /// Returns the reply of the operation, or the error for any other outcome.
    fn used(&self, reply: Result<LibraryReply, RedisFailure>) -> Result<LibraryReply, RedisStoreError> {
        let address = self.address.clone();
        match reply {
            Ok(mut reply) => match &*reply.name {
                // The configured `maxmemory-policy` evicts entries.
                "evicts" => Err(RedisStoreError::Evicts { address, policy: reply.text().unwrap_or_default() }),
                "full" => Err(RedisStoreError::Full { address }),
                "restarted" => {
                    let (advice, said) = ("restarted", "its `run_id` changed during the request".to_owned());
                    Err(RedisStoreError::Failed { address, advice, said })
                }
                _ => Ok(reply),
            },
            Err(RedisFailure::Redis(error)) if is_out_of_memory(&error) => Err(RedisStoreError::Full { address }),
            Err(failure) => Err(self.failed(&failure)),
        }
    }

    /// Returns the error for a reply that belongs to another function.
    pub(super) fn unknown_reply(&self) -> RedisStoreError {
        RedisStoreError::Failed {
            address: self.address.clone(),
            advice: "cannot run an operation of the store",
            said: "the reply belongs to another function".to_owned(),
        }
    }

    fn failed(&self, failure: &RedisFailure) -> RedisStoreError {
        let (advice, said) = match failure {
            RedisFailure::Late => (LATE, format!("no answer within {} s", PATIENCE.as_secs())),
            RedisFailure::Redis(error) => (advice(error), error.to_string()),
        };
        // Some servers repeat unknown commands in errors, and the password is part of a command.
        let said = match self.password.as_deref() {
            Some(password) if !password.is_empty() => said.replace(password, "…"),
            _ => said,
        };
        RedisStoreError::Failed { address: self.address.clone(), advice, said }
    }
}

/// Returns whether Redis had no memory for a function that writes.
fn is_out_of_memory(error: &RedisError) -> bool {
    error.code() == Some("OOM")
}
