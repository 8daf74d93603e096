//! What one process learns of the writes of another.

use std::time::Duration;

use mcp_runtime::{
    runs::{RunRecord, RunStore as _},
    store::RedisStore,
    testing::run_store_contract,
};
use tokio::time::timeout;

use super::{change, connect, insert, run};
use crate::support::redis_server::{RedisServer, prefix, shared};

const PATIENCE: Duration = Duration::from_secs(30);

/// The number of processes that listen.
async fn listeners(server: &RedisServer, channel: &str, expected: u32) {
    let count = || server.command_lines(&format!("PUBSUB NUMSUB {channel}"), 4)[3].clone();
    let reached = timeout(PATIENCE, async {
        while count() != format!(":{expected}") {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    assert!(reached.await.is_ok(), "{} listen, and not {expected}", count());
}

#[tokio::test]
async fn a_process_listens_from_its_first_look_at_the_changes_until_it_ends() {
    let Some(server) = shared() else { return };
    let prefix = prefix();
    let connect = async || RedisStore::builder(&server.url()).prefix(&prefix).connect().await.unwrap();
    let channel = format!("{{{prefix}}}:runs:changes");
    let (one, other) = (connect().await, connect().await);
    insert(&one, &run("r1")).await;
    listeners(&server, &channel, 0).await;
    for _ in 0..3 {
        assert!(one.changes().is_some() && one.clone().changes().is_some());
    }
    listeners(&server, &channel, 1).await;
    assert!(other.changes().is_some());
    listeners(&server, &channel, 2).await;
    drop(one);
    listeners(&server, &channel, 1).await;
}

/// The contract waits for a report of each write.
#[tokio::test]
async fn a_process_listens_again_after_its_connection_was_lost() {
    let Some(server) = RedisServer::durable() else { return };
    let store = connect(&server).await;
    let channel = "{mcp}:runs:changes";
    assert!(store.changes().is_some());
    listeners(&server, channel, 1).await;
    assert_eq!(server.command("CLIENT KILL TYPE pubsub"), ":1");
    listeners(&server, channel, 1).await;
    server.kill();
    server.start_again();
    listeners(&server, channel, 1).await;
    run_store_contract(async || store.clone()).await;
}

/// A user of an earlier version has no permission to publish.
#[tokio::test]
async fn a_user_that_may_not_publish_can_write() {
    let Some(server) = shared() else { return };
    let prefix = prefix();
    let rules = "+@scripting +@hash +@sortedset +@string +@bitmap +del +info +time";
    assert_eq!(server.command(&format!("ACL SETUSER silent on >p4ss ~{{{prefix}}}:* {rules}")), "+OK");
    let url = format!("{}?user=silent&pass=p4ss", server.url());
    let store = RedisStore::builder(&url).prefix(&prefix).connect().await.unwrap();
    insert(&store, &run("r1")).await;
    let written = change(&store, &run("r1"), "next").await;
    assert_eq!(store.load("r1").await.unwrap(), Some(RunRecord { version: 1, ..written }));
}
