//! A Redis that stops, loses data, fills up, or fails over.

use std::time::{Duration, Instant};

use mcp_runtime::{
    runs::{RunFilter, RunInsertion, RunRecord, RunStatus, RunStore as _},
    store::RedisStore,
};

use super::{NO_LIMITS, change, connect, insert, run};
use crate::support::redis_server::RedisServer;

const ALL: RunFilter =
    RunFilter { tool: None, action: None, owner: None, instance: None, statuses: Vec::new(), after: None, limit: 100 };

/// Redis comes back as it was earlier. So a version can stand for another state than the writer has seen.
#[tokio::test]
async fn a_writer_that_has_seen_a_lost_state_cannot_write() {
    let Some(server) = RedisServer::start(&["--save", ""]) else { return };
    let connect = async || RedisStore::connect(&server.url()).await.unwrap();
    let (first, second) = (connect().await, connect().await);
    let kept = run("r1");
    insert(&first, &kept).await;
    assert_eq!(server.command("SAVE"), "+OK");
    // This write is lost.
    let lost = change(&first, &kept, "lost").await;
    server.kill();
    server.start_again();
    let loaded = second.load("r1").await.unwrap().unwrap();
    assert_eq!((&loaded.details, loaded.status), (&kept.details, kept.status), "the run is kept");
    let written = change(&second, &loaded, "answer").await;
    assert!(written.version > lost.version);
    // A write is not repeated after a lost connection, so this connects again.
    first.beat("i1").await.unwrap();
    for stale in [&lost, &kept, &RunRecord { version: 2, ..kept.clone() }] {
        assert!(!first.replace(stale).await.unwrap(), "{stale:?}");
    }
    assert_eq!(first.load("r1").await.unwrap(), Some(written.clone()));
    assert_eq!(second.list(&ALL).await.unwrap(), std::slice::from_ref(&written));
    change(&first, &written, "next").await;
}

#[tokio::test]
async fn a_list_gives_new_versions_to_runs_of_before_a_restart() {
    let Some(server) = RedisServer::start(&["--save", ""]) else { return };
    let store = RedisStore::connect(&server.url()).await.unwrap();
    insert(&store, &run("r1")).await;
    assert_eq!(server.command("SAVE"), "+OK");
    server.kill();
    server.start_again();
    let listed = store.list(&ALL).await.unwrap();
    assert!(listed[0].version > 0);
    assert_eq!(store.list(&ALL).await.unwrap(), listed, "only once");
    change(&store, &listed[0], "next").await;
}

#[tokio::test]
async fn a_full_redis_refuses_new_runs_and_lets_open_ones_end() {
    let Some(server) = RedisServer::start(&["--save", ""]) else { return };
    let store = connect(&server).await;
    let open = run("open");
    insert(&store, &open).await;
    insert(&store, &RunRecord { status: RunStatus::Completed, ..run("ended") }).await;
    // More than nine tenths are used, and not all.
    let most = server.info("used_memory") * 21 / 20;
    assert_eq!(server.command(&format!("CONFIG SET maxmemory {most}")), "+OK");
    let error = store.insert(&run("new"), NO_LIMITS).await.unwrap_err().to_string();
    assert!(error.contains("is full: nine tenths of its `maxmemory` are used; raise `maxmemory`"), "{error}");
    let ended = RunRecord { status: RunStatus::Failed, ..change(&store, &open, "last").await };
    assert!(store.replace(&ended).await.unwrap());

    // Even without any memory, runs can be read and removed.
    assert_eq!(server.command("CONFIG SET maxmemory 1mb"), "+OK");
    store.replace(&RunRecord { version: 2, ..ended }).await.unwrap_err();
    assert_eq!(store.list(&ALL).await.unwrap().len(), 2);
    store.beat("i1").await.unwrap();
    store.forget("i1").await.unwrap();
    assert_eq!(store.remove_ended("jobs", u64::MAX, NO_LIMITS).await.unwrap(), 2);
    assert_eq!(store.list(&ALL).await.unwrap(), []);
    assert_eq!(server.command("CONFIG SET maxmemory 0"), "+OK");
    insert(&store, &run("new")).await;
}

#[tokio::test]
async fn no_run_begins_under_an_evicting_policy() {
    let Some(server) = RedisServer::start(&["--save", ""]) else { return };
    let store = connect(&server).await;
    assert_eq!(server.command("CONFIG SET maxmemory-policy allkeys-lru"), "+OK");
    let error = store.insert(&run("r1"), NO_LIMITS).await.unwrap_err().to_string();
    assert!(error.contains("its `maxmemory-policy` is `allkeys-lru`"), "{error}");
    assert_eq!(server.command("CONFIG SET maxmemory-policy noeviction"), "+OK");
    insert(&store, &run("r1")).await;
}

#[tokio::test]
async fn runs_go_on_at_a_replica_that_takes_over() {
    // A replica is configured with a port only.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let settings = ["--save", "", "--port", &port, "--repl-diskless-sync-delay", "0"];
    let Some(primary) = RedisServer::start(&settings) else { return };
    let replica = RedisServer::start(&["--save", "", "--replicaof", "127.0.0.1", &port]).unwrap();
    let store = RedisStore::connect(&primary.url()).await.unwrap();
    insert(&store, &run("r1")).await;
    let patience = Instant::now() + Duration::from_secs(20);
    while replica.command("DBSIZE") != primary.command("DBSIZE") {
        assert!(Instant::now() < patience, "{}", replica.command("INFO replication"));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    primary.kill();
    assert_eq!(replica.command("REPLICAOF NO ONE"), "+OK");
    let store = RedisStore::connect(&replica.url()).await.unwrap();
    // The old primary may have acknowledged more than the replica has.
    assert!(!store.replace(&run("r1")).await.unwrap(), "a version of the old primary is not trusted");
    let loaded = store.load("r1").await.unwrap().unwrap();
    assert_eq!(RunRecord { version: 0, ..loaded.clone() }, run("r1"));
    change(&store, &loaded, "next").await;
    assert_eq!(store.insert(&run("r2"), NO_LIMITS).await.unwrap(), RunInsertion::Stored);
}
