//! Instances that share a Redis.

use std::collections::HashSet;

use mcp_runtime::{Ledger, RedisLedger, testing::ledger_contract};
use tokio::task::JoinSet;

use super::{connect, prefix, read, shared, write};

#[tokio::test]
async fn it_keeps_the_contract() {
    let Some(server) = shared() else { return };
    let prefix = prefix();
    ledger_contract(async || RedisLedger::builder(&server.url()).prefix(&prefix).connect().await.unwrap()).await;
}

#[tokio::test]
async fn instances_that_start_at_once_have_one_id() {
    let Some(server) = shared() else { return };
    let prefix = prefix();
    let mut instances = JoinSet::new();
    for _ in 0..16 {
        let (url, prefix) = (server.url(), prefix.clone());
        instances.spawn(async move {
            let ledger = RedisLedger::builder(&url).prefix(&prefix).connect().await.unwrap();
            ledger.id().await.unwrap()
        });
    }
    let ids: HashSet<_> = instances.join_all().await.into_iter().collect();
    assert_eq!(ids.len(), 1);
}

#[tokio::test]
async fn prefixes_are_ledgers_of_their_own() {
    let Some(server) = shared() else { return };
    let [one, other] = [prefix(), prefix()];
    let one = RedisLedger::builder(&server.url()).prefix(&one).connect().await.unwrap();
    let other = RedisLedger::builder(&server.url()).prefix(&other).connect().await.unwrap();
    let ids = (one.id().await.unwrap(), other.id().await.unwrap());
    assert_ne!(ids.0, ids.1);
    write(&one, ids.0, "call").await.unwrap();
    assert_eq!(read(&other, ids.1, "call").await.unwrap(), None);
    write(&other, ids.1, "call").await.unwrap();
}

#[tokio::test]
async fn all_keys_are_under_the_prefix_and_all_but_the_ledgers_expire() {
    let Some(server) = super::RedisServer::start(&["--save", ""]) else { return };
    let ledger = connect(&server).await;
    let id = ledger.id().await.unwrap();
    write(&ledger, id, "call").await.unwrap();
    assert_eq!(server.command("DBSIZE"), ":2");
    assert_eq!(server.command("TTL {mcp}:ledger"), ":-1");
    let left: u64 = server.command(&format!("TTL {{mcp}}:{id}:call")).strip_prefix(':').unwrap().parse().unwrap();
    assert!((598..=600).contains(&left), "{left} s");
}
