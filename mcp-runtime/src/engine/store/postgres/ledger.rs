//! The ledger in the database. Each operation is one call of a function, which is atomic.

use std::{sync::Arc, time::Duration};

use tokio_postgres::{
    Client, Row,
    types::{ToSql, Type},
};

use super::{
    PostgresStore,
    connection::PostgresConnections,
    error::{PostgresProblem, PostgresStoreError},
};
use crate::{
    base::mutex::Mutex,
    engine::{
        call::{lease::LedgerError, ledger_time::LedgerTime},
        durable::ledger::{Ledger, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, Swapped},
        store::{
            listener::RunListener,
            sql::number,
            time::{SeenTime, kept_millis},
        },
    },
};

const ID: &str = "SELECT mcp_ledger_id($1::text::uuid, $2::text::uuid, $3, $4)::text, \
    (SELECT ledger_time FROM mcp_ledger_now($5))";
const LOAD: &str = "SELECT * FROM mcp_ledger_load($1::text::uuid, $2, $3, $4)";
const SWAP: &str = "SELECT * FROM mcp_ledger_swap($1::text::uuid, $2, $3, $4, $5, $6, $7, $8, $9, $10)";

/// A database, and what this process knows of it.
pub(super) struct OpenDatabase {
    pub(super) connections: Arc<PostgresConnections>,
    /// Whether the author declared that the database loses nothing in a failover.
    pub(super) is_durable: bool,
    /// How many bytes the entries of the ledger can take.
    pub(super) most_bytes: i64,
    /// How long the reply of a finished call is kept.
    pub(super) replies: Duration,
    pub(super) time: SeenTime,
    pub(super) known: Mutex<Option<KnownLedger>>,
    pub(super) listener: RunListener,
}

/// What this process knows of the ledger.
#[derive(Clone, Copy)]
pub(super) struct KnownLedger {
    id: LedgerId,
    /// When this process last wrote to it. If the database does not know of this write, it has lost entries.
    own_write: LedgerTime,
}

/// The answer of a function.
struct FunctionReply {
    said: String,
    version: Option<i64>,
    value: Option<Arc<[u8]>>,
}

/// A parameter of a statement, with its type.
type Typed<'a> = (&'a (dyn ToSql + Sync), Type);

impl Ledger for PostgresStore {
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        Box::pin(async move { Ok(self.0.ask_for_id().await?) })
    }

    fn now(&self) -> LedgerTime {
        self.0.time.now()
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        Box::pin(async move {
            let reply = match self.0.ask(key, LOAD, &[]).await {
                // Repeating it is harmless, so an idle connection that was lost causes no error.
                Err(error) if error.is_closed() => self.0.ask(key, LOAD, &[]).await,
                reply => reply,
            };
            let reply = reply?;
            match &*reply.said {
                "entry" => Ok(reply.entry()),
                "none" => Ok(None),
                _ => Err(self.0.unusable(&reply)),
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

impl OpenDatabase {
    /// Asks the database for the current id of the ledger.
    pub(super) async fn ask_for_id(&self) -> Result<LedgerId, PostgresStoreError> {
        let known = *self.known.lock();
        let new = LedgerId::random().to_string();
        let (seen, own_write) = (known.map(|known| known.id.to_string()), own_write(known));
        let time = number(self.time.now().0);
        let ask = async |client: Arc<Client>| {
            let parameters: [Typed<'_>; 5] = [
                (&new, Type::TEXT),
                (&seen, Type::TEXT),
                (&own_write, Type::INT8),
                (&self.is_durable, Type::BOOL),
                (&time, Type::INT8),
            ];
            let row = client.query_typed_one(ID, &parameters).await?;
            self.time.see(LedgerTime(row.try_get::<_, i64>(1)?.cast_unsigned()));
            LedgerId::from_hex(row.try_get(0)?).ok_or(PostgresProblem::Row("the id of the ledger is not an id"))
        };
        let id = match self.connections.run(ask).await {
            Err(error) if error.is_closed() => self.connections.run(ask).await?,
            id => id?,
        };
        let mut known = self.known.lock();
        if known.is_none_or(|known| known.id != id) {
            *known = Some(KnownLedger { id, own_write: LedgerTime::default() });
        }
        Ok(id)
    }

    /// Writes an entry. `replies` is how long the last value of an entry is kept, and `None` for another value.
    async fn write(
        &self,
        key: LedgerKey<'_>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
        replies: Option<Duration>,
    ) -> Result<Swapped, LedgerError> {
        let seen = seen.map(|LedgerVersion(version)| version.cast_signed());
        let before = before.map(|LedgerTime(time)| number(time));
        let (keep, replies) = (number(kept_millis(keep)), replies.map(|replies| number(kept_millis(replies))));
        let parameters: [Typed<'_>; 6] = [
            (&seen, Type::INT8),
            (&&*value, Type::BYTEA),
            (&keep, Type::INT8),
            (&before, Type::INT8),
            (&replies, Type::INT8),
            (&self.most_bytes, Type::INT8),
        ];
        let reply = self.ask(key, SWAP, &parameters).await?;
        match (&*reply.said, reply.version) {
            ("done", Some(version)) => Ok(Swapped::Done(LedgerVersion(version.cast_unsigned()))),
            ("entry", _) => Ok(Swapped::Conflict(reply.entry())),
            ("none", _) => Ok(Swapped::Conflict(None)),
            ("late", _) => Ok(Swapped::TooLate),
            _ => Err(self.unusable(&reply)),
        }
    }

    /// Calls a function for one entry. If the database has moved to another place, asks for the ledger's id and calls
    /// the function again.
    async fn ask(
        &self,
        key: LedgerKey<'_>,
        sql: &str,
        parameters: &[Typed<'_>],
    ) -> Result<FunctionReply, PostgresStoreError> {
        let reply = self.ask_once(key, sql, parameters).await?;
        if reply.said != "moved" {
            return Ok(reply);
        }
        self.ask_for_id().await?;
        self.ask_once(key, sql, parameters).await
    }

    async fn ask_once(
        &self,
        key: LedgerKey<'_>,
        sql: &str,
        parameters: &[Typed<'_>],
    ) -> Result<FunctionReply, PostgresStoreError> {
        let (ledger, name) = (key.ledger().to_string(), key.name());
        let known = self.known.lock().filter(|known| known.id == key.ledger());
        let (time, own_write) = (number(self.time.now().0), own_write(known));
        let mut all: Vec<Typed<'_>> =
            vec![(&ledger, Type::TEXT), (&name, Type::TEXT), (&time, Type::INT8), (&own_write, Type::INT8)];
        all.extend(parameters.iter().map(|(value, of)| (*value, of.clone())));
        let (reply, time) =
            self.connections.run(async |client| read(&client.query_typed_one(sql, &all).await?)).await?;
        self.time.see(time);
        if reply.said == "done"
            && let Some(known) = self.known.lock().as_mut().filter(|known| known.id == key.ledger())
        {
            known.own_write = known.own_write.max(time);
        }
        Ok(reply)
    }

    /// Returns the error for a reply without a result.
    fn unusable(&self, reply: &FunctionReply) -> LedgerError {
        let problem = match &*reply.said {
            "full" => return LedgerError::Full,
            "replaced" => return LedgerError::Replaced,
            "moved" => PostgresProblem::Moved,
            _ => PostgresProblem::Row("the functions of the ledger are not those of this version"),
        };
        PostgresStoreError::new(self.connections.name(), problem).into()
    }
}

impl FunctionReply {
    fn entry(self) -> Option<LedgerEntry> {
        let (version, value) = (self.version?.cast_unsigned(), self.value.unwrap_or_default());
        Some(LedgerEntry { value, version: LedgerVersion(version) })
    }
}

/// Returns when this process last wrote to the ledger that it knows.
fn own_write(known: Option<KnownLedger>) -> i64 {
    known.map_or(0, |known| number(known.own_write.0))
}

fn read(row: &Row) -> Result<(FunctionReply, LedgerTime), PostgresProblem> {
    let time: Option<i64> = row.try_get(1)?;
    let value: Option<&[u8]> = row.try_get(3)?;
    let reply = FunctionReply { said: row.try_get(0)?, version: row.try_get(2)?, value: value.map(Arc::from) };
    Ok((reply, LedgerTime(time.unwrap_or_default().cast_unsigned())))
}
