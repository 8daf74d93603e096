//! The ledger in Redis.

use std::{sync::Arc, time::Duration};

use super::{
    RedisStore, RedisStoreError,
    connection::{RedisConnection, Tries},
    library::LibraryReply,
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
        Box::pin(self.0.read(key))
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
    async fn read(&self, key: LedgerKey<'_>) -> Result<Option<LedgerEntry>, LedgerError> {
        let mut reply = self.run_on_entry(key, "load", Tries::Two, &[]).await?;
        let found = match &*reply.name {
            "entry" => reply.entry().map(Some),
            "none" => Some(None),
            _ => None,
        };
        found.ok_or_else(|| LedgerError::failed(self.unknown_reply()))
    }

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
        let version = text(seen.map(|LedgerVersion(version)| version));
        let (keep, before) = (text(Some(kept_millis(keep))), text(before.map(|LedgerTime(time)| time)));
        let arguments = [&version, &*value, &keep, &before, &text(keep_reply)];
        let mut reply = match self.run_on_entry(key, "write", Tries::One, &arguments).await {
            // Redis without any memory does not run the function, so the entry can have another version.
            Err(LedgerError::Full) => {
                let entry = self.read(key).await?;
                let is_seen = entry.as_ref().map(|entry| entry.version) == seen;
                return if is_seen { Err(LedgerError::Full) } else { Ok(Swapped::Conflict(entry)) };
            }
            reply => reply?,
        };
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
    ) -> Result<LibraryReply, LedgerError> {
        let (ledger, expiry) = (key.ledger(), self.key("expiry"));
        let entry = self.key(&format!("{ledger}:{}", key.name()));
        let reply = format!("{entry}:reply");
        let mut call = self.call(&format!("ledger_{operation}"), operation);
        call.key(entry).key(expiry.clone()).arg(ledger.to_string());
        if let Some(Tombstone { group, bit }) = Tombstone::of(key.name()) {
            call.key(self.key(&format!("{ledger}:finished:{group:x}"))).key(reply).arg(bit);
        } else {
            call.arg("");
        }
        for argument in arguments {
            call.arg(*argument);
        }
        match self.run(&call, tries).await {
            Ok(reply) if reply.name == "replaced" => Err(LedgerError::Replaced),
            Ok(reply) => Ok(reply),
            Err(RedisStoreError::Full { .. }) => {
                // Expired entries are normally removed by writes, which can fail now.
                let mut call = self.call("ledger_free", "free");
                // There is no entry.
                call.key(self.key("ledger")).key(expiry);
                drop(self.run(&call, Tries::One).await);
                Err(LedgerError::Full)
            }
            Err(error) => Err(LedgerError::failed(error)),
        }
    }
}

impl LibraryReply {
    fn entry(&mut self) -> Option<LedgerEntry> {
        Some(LedgerEntry { version: LedgerVersion(self.number()?), value: self.bytes()?.into() })
    }
}
