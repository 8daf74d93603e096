//! The runs in Redis.

use redis::{Script, ScriptInvocation};

use super::{
    RedisStore,
    connection::{RedisConnection, Tries},
    listen::listen,
    run_reply::{RunPage, RunReply},
};
use crate::engine::runs::{
    InstanceBeat, RunChanges, RunFilter, RunInsertion, RunLimits, RunRecord, RunStatus, RunStore, RunStoreError,
    RunStoreFuture,
};

/// The maximum number of runs that one script reads.
const PAGE: usize = 200;
/// The maximum number of runs that one script removes.
const REMOVALS: usize = 100;

impl RunStore for RedisStore {
    fn insert<'a>(&'a self, run: &'a RunRecord, limits: RunLimits) -> RunStoreFuture<'a, RunInsertion> {
        Box::pin(async move {
            let mut script = self.runs_script(&self.0.runs.insert);
            add_record(&mut script, run);
            add_limits(&mut script, limits);
            match self.run(&script, Tries::One).await? {
                RunReply::Stored => Ok(RunInsertion::Stored),
                RunReply::Refused(reached) => Ok(reached),
                RunReply::Exists => Err(RunStoreError::new("a run with this id exists")),
                _ => Err(self.unknown()),
            }
        })
    }

    fn load<'a>(&'a self, id: &'a str) -> RunStoreFuture<'a, Option<RunRecord>> {
        Box::pin(async move {
            let mut script = self.runs_script(&self.0.runs.load);
            script.arg(id);
            Ok(self.page(&script).await?.runs.pop())
        })
    }

    fn replace<'a>(&'a self, run: &'a RunRecord) -> RunStoreFuture<'a, bool> {
        Box::pin(async move {
            let mut script = self.runs_script(&self.0.runs.replace);
            add_record(&mut script, run);
            match self.run(&script, Tries::One).await? {
                RunReply::Stored => Ok(true),
                RunReply::Conflict => Ok(false),
                _ => Err(self.unknown()),
            }
        })
    }

    fn list<'a>(&'a self, filter: &'a RunFilter) -> RunStoreFuture<'a, Vec<RunRecord>> {
        Box::pin(async move {
            let mut found = Vec::new();
            let mut next = match &filter.after {
                Some((created_at, id)) => format!("({created_at:020}{id}").into_bytes(),
                None => b"+".to_vec(),
            };
            while found.len() < filter.limit && !next.is_empty() {
                let left = filter.limit - found.len();
                let mut script = self.runs_script(&self.0.runs.list);
                script.arg(next).arg(PAGE).arg(left);
                for wanted in [&filter.tool, &filter.action] {
                    script.arg(marked(wanted.as_deref()));
                }
                script.arg(filter.owner.as_ref().map_or_else(String::new, |owner| owner_text(owner.as_deref())));
                script.arg(marked(filter.instance.as_deref()));
                for status in RunStatus::ALL {
                    if filter.statuses.is_empty() || filter.statuses.contains(&status) {
                        script.arg(status.as_str());
                    }
                }
                let page = self.page(&script).await?;
                found.extend(page.runs);
                next = page.next;
            }
            Ok(found)
        })
    }

    fn beat<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, Vec<InstanceBeat>> {
        Box::pin(async move {
            let mut script = self.runs_script(&self.0.runs.beat);
            script.arg(instance);
            // If a lost reply is repeated, the counter grows by 2, which is a sign of life too.
            match self.run(&script, Tries::Two).await? {
                RunReply::Beats(beats) => Ok(beats),
                _ => Err(self.unknown()),
            }
        })
    }

    fn forget<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, ()> {
        Box::pin(async move {
            let mut script = self.runs_script(&self.0.runs.forget);
            script.arg(instance);
            self.run(&script, Tries::Two).await.map(drop)
        })
    }

    fn remove_ended<'a>(&'a self, tool: &'a str, before: u64, limits: RunLimits) -> RunStoreFuture<'a, usize> {
        Box::pin(async move {
            let mut script = self.runs_script(&self.0.runs.remove);
            script.arg(tool).arg(format!("{before:020}"));
            add_limits(&mut script, limits);
            script.arg(REMOVALS);
            let mut removed = 0;
            loop {
                let RunReply::Removed { runs, has_more } = self.run(&script, Tries::One).await? else {
                    return Err(self.unknown());
                };
                removed += runs;
                if !has_more {
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
    fn runs_script<'a>(&self, script: &'a Script) -> ScriptInvocation<'a> {
        let mut script = self.0.invocation(script);
        script.key(self.0.key("runs"));
        script
    }

    async fn run(&self, script: &ScriptInvocation<'_>, tries: Tries) -> Result<RunReply, RunStoreError> {
        self.0.run(script, tries).await.map_err(RunStoreError::new)
    }

    async fn page(&self, script: &ScriptInvocation<'_>) -> Result<RunPage, RunStoreError> {
        match self.run(script, Tries::Two).await? {
            RunReply::Runs(page) => Ok(page),
            _ => Err(self.unknown()),
        }
    }

    fn unknown(&self) -> RunStoreError {
        RunStoreError::new(self.0.unknown_reply())
    }
}

fn add_record(script: &mut ScriptInvocation<'_>, run: &RunRecord) {
    script.arg(&run.id).arg(&run.tool).arg(&run.action).arg(owner_text(run.owner.as_deref()));
    script.arg(run.status.as_str()).arg(&run.instance);
    // With leading zeros, the order of the texts is that of the numbers.
    script.arg(format!("{:020}", run.created_at)).arg(format!("{:020}", run.updated_at));
    script.arg(run.version).arg(run.bytes).arg(&*run.details);
}

fn add_limits(script: &mut ScriptInvocation<'_>, RunLimits { per_owner, total }: RunLimits) {
    script.arg(per_owner.runs).arg(per_owner.bytes).arg(total.runs).arg(total.bytes);
}

/// Returns the owner as it is stored.
fn owner_text(owner: Option<&str>) -> String {
    owner.map_or_else(|| "-".to_owned(), |owner| format!("={owner}"))
}

/// Returns a text of a filter, or an empty text if there is none.
fn marked(wanted: Option<&str>) -> String {
    wanted.map_or_else(String::new, |wanted| format!("={wanted}"))
}
