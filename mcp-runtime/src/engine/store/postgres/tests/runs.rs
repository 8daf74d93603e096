//! The runs in a database.

use super::{super::schema, *};
use crate::engine::runs::{RunFilter, RunLimits, RunQuota, RunRecord, RunStore, contract::run_store_contract};

#[tokio::test(flavor = "multi_thread")]
async fn postgres_store_follows_the_rules_of_runs() {
    let Some(server) = PostgresServer::shared() else { return };
    let url = server.schema();
    run_store_contract(async || connect(&url).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_that_start_at_the_same_time_create_the_tables_once() {
    let Some(server) = PostgresServer::shared() else { return };
    let url = server.schema();
    let starts: Vec<_> = (0..8)
        .map(|_| {
            let url = url.clone();
            tokio::spawn(async move { PostgresStore::connect(&url).await.unwrap().id().await.unwrap() })
        })
        .collect();
    let mut ids = Vec::new();
    for start in starts {
        ids.push(start.await.unwrap());
    }
    ids.dedup();
    assert_eq!(ids.len(), 1, "all have the same ledger");
    let all = RunFilter { limit: 10, ..RunFilter::default() };
    assert_eq!(connect(&url).await.list(&all).await.unwrap(), [], "the schema has tables of its own");
}

/// Loads the run of an earlier version.
async fn load(server: &PostgresServer) -> RunRecord {
    RunStore::load(&connect(&server.url()).await, "id").await.unwrap().unwrap()
}

#[tokio::test]
async fn a_table_of_an_earlier_version_gets_the_bytes_of_its_records() {
    let Some(server) = durable() else { return };
    drop(connect(&server.url()).await);
    server.sql(
        "DROP TABLE mcp_store; ALTER TABLE mcp_run DROP COLUMN bytes; INSERT INTO mcp_run VALUES \
         ('id', 'tool', 'sort', 'ann', 'completed', 'instance', 1, 2, 3, '{\"outputs\":\"ä\"}')",
    );
    for _ in 0..2 {
        let run = load(&server).await;
        assert_eq!((run.bytes, run.stored_bytes()), (1043, 1043));
    }
    schema::migrate(&connect(&server.url()).await.0.connections).await.unwrap();
    assert_eq!(load(&server).await.bytes, 1043);
}

#[tokio::test]
async fn a_listener_that_loses_its_connection_reports_that_anything_may_have_changed() {
    let Some(server) = durable() else { return };
    let (listening, writing) = (connect(&server.url()).await, connect(&server.url()).await);
    let mut changes = listening.changes().unwrap().subscribe();
    assert!(changes.next().await.is_none(), "it has begun to listen");
    let run = RunRecord::new("tool", "sort", None, "instance", 1);
    let limit = RunQuota { runs: 1, bytes: run.bytes };
    writing.insert(&run, RunLimits { per_owner: limit, total: limit }).await.unwrap();
    for version in 0..2 {
        let run = RunRecord { version, ..run.clone() };
        assert!(soon(async || writing.replace(&run).await).await);
        changes.of(&run.id).await;
        if version == 0 {
            server.kill();
            server.start_again();
            // The listener pauses before it connects again.
            assert!(changes.next().await.is_none(), "what was written meanwhile is not known");
        }
    }
}
