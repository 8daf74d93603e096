//! The runs in Redis.

use std::{future::poll_fn, pin::pin, time::Duration};

use futures_core::Stream as _;
use redis::{
    Client, RedisError,
    aio::{PubSubSink, PubSubStream},
};
use tokio::time::timeout;

use super::{
    RedisStore,
    connection::{PATIENCE, RedisConnection, Tries},
    error::advice,
    library::{FunctionCall, LibraryReply},
};
use crate::engine::{
    runs::{
        InstanceBeat, RunChanges, RunFilter, RunInsertion, RunLimits, RunRecord, RunStatus, RunStore, RunStoreError,
        RunStoreFuture,
    },
    store::listener::report,
};

/// The maximum number of runs that one function reads.
const PAGE: usize = 200;
/// The maximum number of runs that one function removes.
const REMOVALS: usize = 100;
/// After this time without a message, the connection is tested. A connection that was cut silently shows no error.
const SILENCE: Duration = Duration::from_secs(10);

impl RunStore for RedisStore {
    fn insert<'a>(&'a self, run: &'a RunRecord, limits: RunLimits) -> RunStoreFuture<'a, RunInsertion> {
        Box::pin(async move {
            let mut call = self.writing("insert");
            call.arg(&run.id).arg(&run.tool).arg(&run.action).arg(owner_text(run.owner.as_deref()));
            call.arg(run.status.as_str()).arg(&run.instance).arg(time_text(run.created_at));
            call.arg(time_text(run.updated_at)).arg(run.version).arg(run.bytes).arg(&*run.details);
            add_limits(&mut call, limits);
            match &*self.run(&call, Tries::One).await?.name {
                "exists" => Err(RunStoreError::new("a run with this id exists")),
                name => RunInsertion::from_name(name).ok_or_else(|| self.unknown()),
            }
        })
    }

    fn load<'a>(&'a self, id: &'a str) -> RunStoreFuture<'a, Option<RunRecord>> {
        Box::pin(async move {
            let mut call = self.reading("load");
            call.arg(id);
            Ok(self.page(&call).await?.0.pop())
        })
    }

    fn replace<'a>(&'a self, run: &'a RunRecord) -> RunStoreFuture<'a, bool> {
        Box::pin(async move {
            let mut call = self.writing("replace");
            call.arg(&run.id).arg(run.version).arg(run.status.as_str()).arg(&run.instance);
            call.arg(time_text(run.updated_at)).arg(run.bytes).arg(&*run.details);
            match &*self.run(&call, Tries::One).await?.name {
                "stored" => Ok(true),
                "conflict" => Ok(false),
                _ => Err(self.unknown()),
            }
        })
    }

    fn list<'a>(&'a self, filter: &'a RunFilter) -> RunStoreFuture<'a, Vec<RunRecord>> {
        Box::pin(async move {
            let mut found = Vec::new();
            let mut next = match &filter.after {
                Some((created_at, id)) => format!("({}{id}", time_text(*created_at)).into_bytes(),
                None => b"+".to_vec(),
            };
            while found.len() < filter.limit && !next.is_empty() {
                let left = filter.limit - found.len();
                let mut call = self.reading("list");
                call.arg(next).arg(PAGE).arg(left);
                for wanted in [&filter.tool, &filter.action] {
                    call.arg(marked(wanted.as_deref()));
                }
                call.arg(filter.owner.as_ref().map_or_else(String::new, |owner| owner_text(owner.as_deref())));
                call.arg(marked(filter.instance.as_deref()));
                for status in RunStatus::ALL {
                    if filter.statuses.is_empty() || filter.statuses.contains(&status) {
                        call.arg(status.as_str());
                    }
                }
                let (runs, next_page) = self.page(&call).await?;
                found.extend(runs);
                next = next_page;
            }
            Ok(found)
        })
    }

    fn beat<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, Vec<InstanceBeat>> {
        Box::pin(async move {
            let mut call = self.reading("beat");
            call.arg(instance);
            // If a lost reply is repeated, the counter grows by 2, which is a sign of life too.
            let (mut reply, mut beats) = (self.run(&call, Tries::Two).await?, Vec::new());
            while let Some(instance) = reply.text() {
                beats.push(InstanceBeat { instance, count: reply.number().ok_or_else(|| self.unknown())? });
            }
            Ok(beats)
        })
    }

    fn forget<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, ()> {
        Box::pin(async move {
            let mut call = self.reading("forget");
            call.arg(instance);
            self.run(&call, Tries::Two).await.map(drop)
        })
    }

    fn remove_ended<'a>(&'a self, tool: &'a str, before: u64, limits: RunLimits) -> RunStoreFuture<'a, usize> {
        Box::pin(async move {
            let mut call = self.reading("remove");
            call.arg(tool).arg(time_text(before)).arg(REMOVALS);
            add_limits(&mut call, limits);
            let mut removed = 0;
            loop {
                let mut reply = self.run(&call, Tries::One).await?;
                let (Some(runs), Some(more)) = (reply.number(), reply.text()) else { return Err(self.unknown()) };
                removed += usize::try_from(runs).unwrap_or(usize::MAX);
                // Otherwise, the function stopped because it had removed as many as it may.
                if more.is_empty() {
                    return Ok(removed);
                }
            }
        })
    }

    fn changes(&self) -> Option<&RunChanges> {
        let RedisConnection { client, address, listener, .. } = &*self.0;
        let (client, address, channel) = (client.clone(), address.clone(), self.0.key("runs:changes"));
        let receive = move |changes| listen(client.clone(), address.clone(), channel.clone(), changes);
        Some(listener.changes(receive))
    }
}

impl RedisStore {
    fn writing(&self, operation: &str) -> FunctionCall {
        let mut call = self.0.call("runs_add", operation);
        call.key(self.0.key("runs"));
        call
    }

    fn reading(&self, operation: &str) -> FunctionCall {
        let mut call = self.0.call("runs", operation);
        call.key(self.0.key("runs"));
        call
    }

    async fn run(&self, call: &FunctionCall, tries: Tries) -> Result<LibraryReply, RunStoreError> {
        self.0.run(call, tries).await.map_err(RunStoreError::new)
    }

    /// Reads a part of a list of runs. Also returns where the next part begins, which is empty at the end of the list.
    async fn page(&self, call: &FunctionCall) -> Result<(Vec<RunRecord>, Vec<u8>), RunStoreError> {
        let mut reply = self.run(call, Tries::Two).await?;
        let (next, mut runs) = (reply.bytes().ok_or_else(|| self.unknown())?, Vec::new());
        while let Some(id) = reply.text() {
            runs.push(record(id, &mut reply).ok_or_else(|| self.unknown())?);
        }
        Ok((runs, next))
    }

    fn unknown(&self) -> RunStoreError {
        RunStoreError::new(self.0.unknown_reply())
    }
}

fn record(id: String, reply: &mut LibraryReply) -> Option<RunRecord> {
    Some(RunRecord {
        id,
        tool: reply.text()?,
        action: reply.text()?,
        owner: reply.text()?.strip_prefix('=').map(str::to_owned),
        status: RunStatus::from_name(&reply.text()?)?,
        instance: reply.text()?,
        created_at: reply.number()?,
        updated_at: reply.number()?,
        version: reply.number()?,
        bytes: reply.number()?,
        details: reply.text()?.into(),
    })
}

fn add_limits(call: &mut FunctionCall, RunLimits { per_owner, total }: RunLimits) {
    call.arg(per_owner.runs).arg(per_owner.bytes).arg(total.runs).arg(total.bytes);
}

/// Returns the owner as it is stored.
fn owner_text(owner: Option<&str>) -> String {
    owner.map_or_else(|| "-".to_owned(), |owner| format!("={owner}"))
}

/// Returns a text of a filter, or an empty text if there is none.
fn marked(wanted: Option<&str>) -> String {
    wanted.map_or_else(String::new, |wanted| format!("={wanted}"))
}

/// Returns a time as it is stored. With leading zeros, the order of the texts is that of the numbers.
fn time_text(millis: u64) -> String {
    format!("{millis:020}")
}

/// Reports each message of the channel until the connection is lost. The connection receives nothing else.
pub(super) async fn listen(
    client: Client,
    address: String,
    channel: String,
    changes: RunChanges,
) -> Result<(), String> {
    // The error itself is left out, because some servers repeat the password in errors.
    let failed = |advice: &str| format!("Redis at {address} {advice}");
    let subscribed = timeout(PATIENCE, subscribe(&client, &channel)).await;
    let subscribed = subscribed.map_err(|_| failed("does not answer in time"))?;
    let (mut sink, stream) = subscribed.map_err(|error| failed(advice(&error)))?;
    // Messages from before the subscription are lost.
    changes.any_written();
    let mut stream = pin!(stream);
    loop {
        match timeout(SILENCE, poll_fn(|cx| stream.as_mut().poll_next(cx))).await {
            Ok(Some(message)) => report(&changes, &String::from_utf8_lossy(message.get_payload_bytes())),
            Ok(None) => return Ok(()),
            Err(_) => {
                let repeated = timeout(PATIENCE, sink.subscribe(&channel)).await;
                if !matches!(repeated, Ok(Ok(()))) {
                    return Ok(());
                }
            }
        }
    }
}

async fn subscribe(client: &Client, channel: &str) -> Result<(PubSubSink, PubSubStream), RedisError> {
    let (mut sink, stream) = client.get_async_pubsub().await?.split();
    sink.subscribe(channel).await?;
    Ok((sink, stream))
}
