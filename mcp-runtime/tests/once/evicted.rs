//! Finished calls whose replies the ledger has discarded to make room.

use std::sync::Arc;

use mcp_runtime::store::{Ledger, MemoryLedger};
use serde_json::json;

use crate::once::{
    wire::{error, sure, text},
    world::World,
};
#[cfg(feature = "sqlite")]
use crate::support::directory::Directory;

/// The number of calls after which the ledger has evicted the first one.
const MOST: usize = 3000;

#[tokio::test]
async fn with_memory() {
    completed_and_runs_nothing(Arc::new(MemoryLedger::with_limits(50, 1 << 20))).await;
}

#[cfg(feature = "sqlite")]
#[tokio::test]
async fn with_sqlite() {
    let directory = Directory::new("evicted");
    let ledger = mcp_runtime::store::SqliteStore::with_limit(directory.path().join("ledger.db"), 1 << 20).unwrap();
    completed_and_runs_nothing(Arc::new(ledger)).await;
}

#[cfg(all(feature = "redis", unix))]
#[tokio::test]
async fn with_redis() {
    use std::time::Duration;

    let Some(server) = crate::support::redis_server::shared() else { return };
    let ledger = mcp_runtime::store::RedisStore::builder(&server.url()).prefix(&crate::support::redis_server::prefix());
    completed_and_runs_nothing(Arc::new(ledger.keep_replies(Duration::from_secs(4)).connect().await.unwrap())).await;
}

#[cfg(all(feature = "postgres", unix))]
#[tokio::test]
async fn with_postgres() {
    use std::time::Duration;

    let Some(server) = crate::support::postgres_server::PostgresServer::shared() else { return };
    let store = mcp_runtime::store::PostgresStore::builder(&server.url()).keep_replies(Duration::from_secs(4));
    completed_and_runs_nothing(Arc::new(store.connect().await.unwrap())).await;
}

async fn completed_and_runs_nothing(ledger: Arc<dyn Ledger>) {
    let mut world = World::with_ledger(ledger);
    let first = world.begin("book").await;
    let second = world.begin_and_sit("book").await;
    let result = world.answer("book", &second, sure(true)).await;
    assert_eq!(text(&result), "12A to Lisbon for 200");
    assert_eq!(world.answer("book", &second, sure(true)).await, result, "the reply is still kept");

    for calls in 1.. {
        let other = world.begin_and_sit("book").await;
        assert!(text(&world.answer("book", &other, sure(true)).await).starts_with("12A to Lisbon"));
        if world.answer("book", &second, sure(true)).await != result {
            break;
        }
        assert!(calls < MOST, "the reply is never discarded");
    }
    let runs = world.watched.runs();
    for request in [json!({ "requestState": second }), crate::once::world::later(&second, &sure(false))] {
        let refused = world.call("book", request).await;
        let words = "the call of `book` is completed; its reply is no longer stored";
        assert_eq!(error(&refused), (-32602, words), "{refused}");
    }
    assert_eq!(world.watched.runs(), runs, "nothing runs again");

    // A call that was open all the time can be resumed.
    let open = world.answer("book", &first, crate::once::wire::seat("1F")).await;
    assert_eq!(open["result"]["resultType"], "input_required", "{open}");
}
