//! The ledger in Redis.

use std::{sync::Arc, time::Duration};

use super::{
    RedisStore, RedisStoreError,
    connection::{RedisConnection, Tries},
    script::ScriptReply,
};
use crate::engine::{
    call::{lease::LedgerError, ledger_time::LedgerTime},
    durable::ledger::{
        Ledger, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, Swapped, tombstone::Tombstone,
    },
    store::time::kept_millis,
};

impl Ledger for RedisStore {
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        Box::pin(async move { self.0.ask_for_id().await.map_err(LedgerError::failed) })
    }

    fn now(&self) -> LedgerTime {
        self.0.time.now()
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        Box::pin(async move {
            let mut reply = self.0.run_on_entry(key, "load", Tries::Two, &[]).await?;
            let found = match &*reply.name {
                "entry" => reply.entry().map(Some),
                "none" => Some(None),
                _ => None,
            };
            found.ok_or_else(|| LedgerError::failed(self.0.unknown_reply()))
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
        Box::pin(self.0.write(key, seen, value, keep, before, None))
    }

    fn finish<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(self.0.write(key, seen, value, keep, None, Some(self.0.replies)))
    }
}

impl RedisConnection {
    /// Writes an entry. `keep_reply` is how long the last value of an entry is kept, and `None` for another value.
    async fn write(
        &self,
        key: LedgerKey<'_>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
        keep_reply: Option<u64>,
    ) -> Result<Swapped, LedgerError> {
        let text = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string()).into_bytes();
        let seen = text(seen.map(|LedgerVersion(version)| version));
        let (keep, before) = (text(Some(kept_millis(keep))), text(before.map(|LedgerTime(time)| time)));
        let arguments = [&seen, &*value, &keep, &before, &text(keep_reply)];
        let mut reply = self.run_on_entry(key, "write", Tries::One, &arguments).await?;
        let swapped = match &*reply.name {
            "done" => reply.number().map(|version| Swapped::Done(LedgerVersion(version))),
            "entry" => reply.entry().map(|entry| Swapped::Conflict(Some(entry))),
            "none" => Some(Swapped::Conflict(None)),
            "late" => Some(Swapped::TooLate),
            _ => None,
        };
        swapped.ok_or_else(|| LedgerError::failed(self.unknown_reply()))
    }

    /// Runs an operation on one entry.
    async fn run_on_entry(
        &self,
        key: LedgerKey<'_>,
        operation: &str,
        tries: Tries,
        arguments: &[&[u8]],
    ) -> Result<ScriptReply, LedgerError> {
        let (ledger, expiry) = (key.ledger(), self.key("expiry"));
        let entry = self.key(&format!("{ledger}:{}", key.name()));
        let reply = format!("{entry}:reply");
        let mut script = self.invocation(&self.scripts.ledger, operation);
        script.key(entry).key(&expiry).arg(ledger.to_string());
        if let Some(Tombstone { group, bit }) = Tombstone::of(key.name()) {
            script.key(self.key(&format!("{ledger}:finished:{group:x}"))).key(reply).arg(bit);
        } else {
            script.arg("");
        }
        for argument in arguments {
            script.arg(*argument);
        }
        match self.run(&script, tries).await {
            Ok(reply) if reply.name == "replaced" => Err(LedgerError::Replaced),
            Ok(reply) => Ok(reply),
            Err(RedisStoreError::Full { .. }) => {
                // Expired entries are normally removed by writes, which can fail now.
                let mut script = self.invocation(&self.scripts.free, "free");
                script.key(self.key("ledger")).key(expiry);
                drop(self.run(&script, Tries::One).await);
                Err(LedgerError::Full)
            }
            Err(error) => Err(LedgerError::failed(error)),
        }
    }
}

impl ScriptReply {
    fn entry(&mut self) -> Option<LedgerEntry> {
        Some(LedgerEntry { version: LedgerVersion(self.number()?), value: self.bytes()?.into() })
    }
}
