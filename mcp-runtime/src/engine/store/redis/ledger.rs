//! The ledger in Redis.

use std::{sync::Arc, time::Duration};

use redis::{Script, ScriptInvocation};

use super::{RedisStore, RedisStoreError, connection::Tries, ledger_scripts::EntryReply};
use crate::engine::{
    call::{hold::LedgerError, ledger_time::LedgerTime},
    durable::ledger::{
        Ledger, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, Swapped, tombstone::Tombstone,
    },
    store::limits::kept_millis,
};

impl Ledger for RedisStore {
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        Box::pin(async move {
            match self.0.known_id() {
                Some(id) => Ok(id),
                None => self.0.ask_for_id().await.map_err(LedgerError::failed),
            }
        })
    }

    fn now(&self) -> LedgerTime {
        self.0.time.now()
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        Box::pin(async move {
            match self.ask_of(key, &self.0.ledger.load, Tries::Two, |_| {}).await? {
                EntryReply::Entry(entry) => Ok(Some(entry)),
                EntryReply::None => Ok(None),
                _ => Err(LedgerError::failed(self.0.unknown_reply())),
            }
        })
    }

    fn swap<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(async move {
            let before = before.map_or_else(String::new, |LedgerTime(time)| time.to_string());
            let arguments = |swap: &mut ScriptInvocation<'_>| {
                swap.arg(version_text(seen)).arg(&*value).arg(kept_millis(keep)).arg(before);
            };
            self.swapped(self.ask_of(key, &self.0.ledger.swap, Tries::One, arguments).await?)
        })
    }

    fn finish<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(async move {
            let arguments = |finish: &mut ScriptInvocation<'_>| {
                finish.arg(version_text(seen)).arg(&*value).arg(kept_millis(keep)).arg("").arg(self.0.replies);
            };
            self.swapped(self.ask_of(key, &self.0.ledger.finish, Tries::One, arguments).await?)
        })
    }
}

impl RedisStore {
    /// Runs a script on one entry.
    async fn ask_of(
        &self,
        key: LedgerKey<'_>,
        script: &Script,
        tries: Tries,
        arguments: impl FnOnce(&mut ScriptInvocation<'_>),
    ) -> Result<EntryReply, LedgerError> {
        let mut script = self.0.invocation(script);
        let entry = self.0.key(&format!("{}:{}", key.ledger(), key.name()));
        let reply = format!("{entry}:reply");
        script.key(entry).key(self.key_of_expiry());
        script.arg(key.ledger().to_string());
        if let Some(Tombstone { group, bit }) = Tombstone::of(key.name()) {
            script.key(self.0.key(&format!("{}:finished:{group:x}", key.ledger()))).key(reply).arg(bit);
        } else {
            script.arg("");
        }
        arguments(&mut script);
        match self.0.run(&script, tries).await {
            Ok(EntryReply::Replaced) => {
                self.0.forget_id(key.ledger());
                Err(LedgerError::Replaced)
            }
            Ok(said) => Ok(said),
            Err(RedisStoreError::Full { .. }) => {
                // Expired entries are normally removed by writes, which can fail now.
                drop(self.0.run::<EntryReply>(&self.free(), Tries::One).await);
                Err(LedgerError::Full)
            }
            Err(error) => Err(LedgerError::failed(error)),
        }
    }

    fn free(&self) -> ScriptInvocation<'_> {
        let mut script = self.0.invocation(&self.0.ledger.free);
        script.key(self.0.key("ledger")).key(self.key_of_expiry());
        script
    }

    fn key_of_expiry(&self) -> String {
        self.0.key("expiry")
    }

    fn swapped(&self, said: EntryReply) -> Result<Swapped, LedgerError> {
        match said {
            EntryReply::Done(version) => Ok(Swapped::Done(version)),
            EntryReply::Entry(entry) => Ok(Swapped::Conflict(Some(entry))),
            EntryReply::None => Ok(Swapped::Conflict(None)),
            EntryReply::TooLate => Ok(Swapped::TooLate),
            EntryReply::Replaced => Err(LedgerError::failed(self.0.unknown_reply())),
        }
    }
}

fn version_text(seen: Option<LedgerVersion>) -> String {
    seen.map_or_else(String::new, |LedgerVersion(version)| version.to_string())
}
