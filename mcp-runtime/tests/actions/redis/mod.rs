//! The runs in Redis, with real servers that stop, lose data, fill up and fail over.

mod changes;
mod comparing;
mod indexes;
mod losing;
mod outages;
mod sharing;

use std::time::Duration;

use mcp_runtime::{
    runs::{RunInsertion, RunLimits, RunQuota, RunRecord, RunStatus, RunStore as _},
    store::RedisStore,
};

use crate::support::redis_server::RedisServer;

const NO_LIMIT: RunQuota = RunQuota { runs: usize::MAX, bytes: u64::MAX };
const NO_LIMITS: RunLimits = RunLimits { per_owner: NO_LIMIT, total: NO_LIMIT };

async fn connect(server: &RedisServer) -> RedisStore {
    RedisStore::builder(&server.url()).durable().connect().await.unwrap()
}

fn run(id: &str) -> RunRecord {
    RunRecord {
        id: id.to_owned(),
        tool: "jobs".to_owned(),
        action: "sort".to_owned(),
        owner: Some("ann".to_owned()),
        status: RunStatus::Working,
        instance: "i1".to_owned(),
        created_at: 1,
        updated_at: 1,
        version: 0,
        bytes: 1024,
        details: "{}".into(),
    }
}

async fn insert(store: &RedisStore, run: &RunRecord) {
    assert_eq!(store.insert(run, NO_LIMITS).await.unwrap(), RunInsertion::Stored, "{run:?}");
}

/// Writes a change with the version of the record, and returns the record as it is then stored. A write that waits for
/// a busy disk can fail and still take effect.
async fn change(store: &RedisStore, run: &RunRecord, details: &str) -> RunRecord {
    let run = RunRecord { details: details.into(), ..run.clone() };
    let changed = RunRecord { version: run.version + 1, ..run.clone() };
    for _ in 0..20 {
        match store.replace(&run).await {
            Ok(true) => return changed,
            Ok(false) => {
                assert_eq!(store.load(&run.id).await.unwrap().as_ref(), Some(&changed));
                return changed;
            }
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
    panic!("the run cannot be written: {run:?}");
}
