//! The connection to Redis, and the requests on it.

use std::time::Duration;

use redis::{
    Client, IntoConnectionInfo as _, RedisError, Script, ScriptInvocation,
    aio::{ConnectionManager, ConnectionManagerConfig},
};
use tokio::time::timeout;

use super::{
    RedisStoreBuilder,
    error::{RedisStoreError, advice},
    script::{ScriptReply, Scripts},
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
    pub(super) scripts: Scripts,
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
            scripts: Scripts::new(),
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
        let mut script = self.invocation(&self.scripts.ledger, "id");
        script.arg(LedgerId::random().to_string()).arg(u8::from(self.durable));
        let mut reply = self.used(self.ask(&script, Tries::Two).await)?;
        let id = reply.text().and_then(|id| LedgerId::from_hex(&id));
        id.ok_or_else(|| self.unknown_reply())
    }

    /// Returns a script with its first key and its first arguments. The caller adds the others.
    pub(super) fn invocation<'a>(&self, script: &'a Script, operation: &str) -> ScriptInvocation<'a> {
        let mut script = script.key(self.key("ledger"));
        script.arg(self.time.now().0).arg(operation);
        script
    }

    /// Returns a key of this store. Its hash tag is the prefix, so that a cluster keeps all keys on one node.
    pub(super) fn key(&self, name: &str) -> String {
        format!("{{{}}}:{name}", self.prefix)
    }

    /// Runs a script. If Redis has restarted, asks for the id of the store and runs the script again.
    pub(super) async fn run(
        &self,
        script: &ScriptInvocation<'_>,
        tries: Tries,
    ) -> Result<ScriptReply, RedisStoreError> {
        let mut reply = self.ask(script, tries).await;
        if matches!(&reply, Ok(reply) if reply.name == "restarted") {
            self.ask_for_id().await?;
            reply = self.ask(script, tries).await;
        }
        self.used(reply)
    }

    async fn ask(&self, script: &ScriptInvocation<'_>, tries: Tries) -> Result<ScriptReply, RedisFailure> {
        let asked = timeout(PATIENCE, async {
            let mut connection = self.connection.clone();
            match script.invoke_async(&mut connection).await {
                Err(error) if tries == Tries::Two && error.is_connection_dropped() => {
                    script.invoke_async(&mut connection).await
                }
                reply => reply,
            }
        });
        let reply: ScriptReply = asked.await.map_err(|_| RedisFailure::Late)?.map_err(RedisFailure::Redis)?;
        self.time.see(reply.time);
        Ok(reply)
    }

    /// Returns the reply of the operation, or the error for any other outcome.
    fn used(&self, reply: Result<ScriptReply, RedisFailure>) -> Result<ScriptReply, RedisStoreError> {
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

    /// Returns the error for a reply that belongs to another script.
    pub(super) fn unknown_reply(&self) -> RedisStoreError {
        RedisStoreError::Failed {
            address: self.address.clone(),
            advice: "cannot run an operation of the store",
            said: "the reply belongs to another script".to_owned(),
        }
    }

    fn failed(&self, failure: &RedisFailure) -> RedisStoreError {
        let (advice, said) = match failure {
            RedisFailure::Late => ("does not answer in time", format!("no answer within {} s", PATIENCE.as_secs())),
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

/// Returns whether Redis had no memory for the writes of a script.
fn is_out_of_memory(error: &RedisError) -> bool {
    // Before Redis 7 this was the text of the script's own error.
    error.code() == Some("OOM") || error.detail().is_some_and(|detail| detail.contains("OOM command not allowed"))
}
