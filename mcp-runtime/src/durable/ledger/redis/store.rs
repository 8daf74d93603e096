//! The connection to Redis, and the requests on it.

use std::time::Duration;

use redis::{
    Client, IntoConnectionInfo as _, RedisError, Script, ScriptInvocation,
    aio::{ConnectionManager, ConnectionManagerConfig},
};
use tokio::time::timeout;

use super::{
    AGES, LedgerError, LedgerId, LedgerKey, LedgerTime, RedisLedgerBuilder, RedisLedgerError, SeenTime,
    error::advice,
    scripts::{ScriptReply, Scripts, TimedReply, is_out_of_memory},
};
use crate::{call::clock::millis, durable::ledger::tombstone::Tombstone, mutex::Mutex};

const LONGEST_PREFIX: usize = 64;
/// How long to wait for one answer of Redis, and for one connection attempt.
const SOON: Duration = Duration::from_secs(2);
/// The timeout of a whole operation, including a reconnection.
const PATIENCE: Duration = Duration::from_secs(3);

pub(super) struct RedisStore {
    pub(super) address: String,
    pub(super) prefix: Box<str>,
    pub(super) scripts: Scripts,
    pub(super) time: SeenTime,
    /// How long the reply of a finished call is kept, in milliseconds.
    pub(super) replies: u64,
    /// Whether the author declared that Redis loses nothing in a restart.
    durable: bool,
    connection: ConnectionManager,
    /// The password in the URL, which is removed from error messages.
    password: Option<Box<str>>,
    id: Mutex<Option<LedgerId>>,
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

impl RedisStore {
    pub(super) async fn connect(
        RedisLedgerBuilder { url, prefix, durable, replies }: RedisLedgerBuilder,
    ) -> Result<Self, RedisLedgerError> {
        let may_be = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte);
        if !(1..=LONGEST_PREFIX).contains(&prefix.len()) || !prefix.bytes().all(may_be) {
            return Err(RedisLedgerError::Prefix);
        }
        if !cfg!(feature = "redis-tls") && (url.starts_with("rediss:") || url.starts_with("valkeys:")) {
            return Err(RedisLedgerError::Tls);
        }
        // Fails if the program has already installed a provider, which is fine.
        #[cfg(feature = "redis-tls")]
        drop(rustls::crypto::ring::default_provider().install_default());
        let info = url.into_connection_info().map_err(|_| RedisLedgerError::Url)?;
        let tcp = info.tcp_settings().clone().set_nodelay(true);
        // Closes the connection to a peer that vanished, so that a new connection is made.
        #[cfg(target_os = "linux")]
        let tcp = tcp.set_user_timeout(2 * SOON);
        let (address, password) = (info.addr().to_string(), info.redis_settings().password().map(Box::from));
        let client = Client::open(info.set_tcp_settings(tcp)).map_err(|_| RedisLedgerError::Url)?;
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(SOON))
            .set_response_timeout(Some(SOON))
            .set_number_of_retries(2)
            .set_min_delay(Duration::from_millis(50))
            .set_max_delay(Duration::from_millis(500));
        let connection = ConnectionManager::new_lazy_with_config(client, config).map_err(|_| RedisLedgerError::Url)?;
        let (prefix, scripts, replies) = (prefix.into(), Scripts::new(), millis(replies.min(AGES)));
        let time = SeenTime::new(LedgerTime::default());
        let id = Mutex::default();
        let store = Self { address, prefix, scripts, time, replies, durable, connection, password, id };
        store.ask_for_id().await?;
        Ok(store)
    }

    pub(super) fn known_id(&self) -> Option<LedgerId> {
        *self.id.lock()
    }

    /// Asks Redis for the current id of the ledger.
    pub(super) async fn ask_for_id(&self) -> Result<LedgerId, RedisLedgerError> {
        let mut script = self.scripts.id.key(self.key_of_ledger());
        script.arg(self.time.now().0).arg(LedgerId::random().to_string()).arg(u8::from(self.durable));
        match self.ask(&script, Tries::Two).await {
            Ok(ScriptReply::Id(id)) => {
                *self.id.lock() = Some(id);
                Ok(id)
            }
            Ok(said) => Err(self.unusable(said)),
            Err(failure) => Err(self.failed(&failure)),
        }
    }

    /// Runs a script on one entry. If Redis has restarted, asks for the ledger's id and runs the script again.
    pub(super) async fn ask_of(
        &self,
        key: LedgerKey<'_>,
        script: &Script,
        tries: Tries,
        arguments: impl FnOnce(&mut ScriptInvocation<'_>),
    ) -> Result<ScriptReply, LedgerError> {
        let mut script = script.key(self.key_of_ledger());
        let entry = format!("{{{}}}:{}:{}", self.prefix, key.ledger(), key.name());
        let reply = format!("{entry}:reply");
        script.key(entry).key(self.key_of_expiry());
        script.arg(self.time.now().0).arg(key.ledger().to_string());
        if let Some(Tombstone { group, bit }) = Tombstone::of(key.name()) {
            script.key(format!("{{{}}}:{}:finished:{group:x}", self.prefix, key.ledger())).key(reply).arg(bit);
        } else {
            script.arg("");
        }
        arguments(&mut script);
        let mut said = self.ask(&script, tries).await;
        if matches!(said, Ok(ScriptReply::Restarted)) {
            self.ask_for_id().await.map_err(LedgerError::failed)?;
            said = self.ask(&script, tries).await;
        }
        match said {
            Ok(ScriptReply::Full) => Err(LedgerError::Full),
            Ok(ScriptReply::Replaced) => {
                self.id.lock().take_if(|id| *id == key.ledger());
                Err(LedgerError::Replaced)
            }
            Ok(said) => Ok(said),
            Err(RedisFailure::Redis(error)) if is_out_of_memory(&error) => {
                // Expired entries are normally removed by writes, which fail now.
                drop(self.ask(&self.free(), Tries::One).await);
                Err(LedgerError::Full)
            }
            Err(failure) => Err(LedgerError::failed(self.failed(&failure))),
        }
    }

    fn free(&self) -> ScriptInvocation<'_> {
        let mut script = self.scripts.free.key(self.key_of_ledger());
        script.key(self.key_of_ledger()).key(self.key_of_expiry()).arg(self.time.now().0);
        script
    }

    /// Returns the error for a reply that an operation cannot use.
    pub(super) fn unusable(&self, said: ScriptReply) -> RedisLedgerError {
        let address = self.address.clone();
        match said {
            ScriptReply::Evicts(policy) => RedisLedgerError::Evicts { address, policy },
            ScriptReply::Restarted => {
                let (advice, said) = ("restarted", "its `run_id` changed during the request".to_owned());
                RedisLedgerError::Failed { address, advice, said }
            }
            _ => {
                let said = "the reply belongs to another script".to_owned();
                RedisLedgerError::Failed { address, advice: "cannot run an operation of the ledger", said }
            }
        }
    }

    async fn ask(&self, script: &ScriptInvocation<'_>, tries: Tries) -> Result<ScriptReply, RedisFailure> {
        let asked = timeout(PATIENCE, async {
            let mut connection = self.connection.clone();
            match script.invoke_async(&mut connection).await {
                Err(error) if tries == Tries::Two && error.is_connection_dropped() => {
                    script.invoke_async(&mut connection).await
                }
                said => said,
            }
        });
        let TimedReply { time, said } = asked.await.map_err(|_| RedisFailure::Late)?.map_err(RedisFailure::Redis)?;
        self.time.see(time);
        Ok(said)
    }

    fn failed(&self, failure: &RedisFailure) -> RedisLedgerError {
        let (advice, said) = match failure {
            RedisFailure::Late => ("does not answer in time", format!("no answer within {} s", PATIENCE.as_secs())),
            RedisFailure::Redis(error) => (advice(error), error.to_string()),
        };
        // Some servers repeat unknown commands in errors, and the password is part of a command.
        let said = match self.password.as_deref() {
            Some(password) if !password.is_empty() => said.replace(password, "…"),
            _ => said,
        };
        RedisLedgerError::Failed { address: self.address.clone(), advice, said }
    }

    fn key_of_ledger(&self) -> String {
        format!("{{{}}}:ledger", self.prefix)
    }

    fn key_of_expiry(&self) -> String {
        format!("{{{}}}:expiry", self.prefix)
    }
}
