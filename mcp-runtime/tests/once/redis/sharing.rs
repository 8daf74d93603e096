//! Instances that share a Redis.

use std::{collections::HashSet, time::Duration};

use mcp_runtime::{
    store::{Ledger, LedgerKey, RedisStore, Swapped},
    testing::ledger_contract,
};
use tokio::task::JoinSet;

use super::{LONG, connect, prefix, read, shared, write};

#[tokio::test]
async fn redis_keeps_the_ledger_contract() {
    let Some(server) = shared() else { return };
    let prefix = prefix();
    ledger_contract(async || RedisStore::builder(&server.url()).prefix(&prefix).connect().await.unwrap()).await;
}

#[tokio::test]
async fn instances_that_start_concurrently_share_one_id() {
    let Some(server) = shared() else { return };
    let prefix = prefix();
    let mut instances = JoinSet::new();
    for _ in 0..16 {
        let (url, prefix) = (server.url(), prefix.clone());
        instances.spawn(async move {
            let ledger = RedisStore::builder(&url).prefix(&prefix).connect().await.unwrap();
            ledger.id().await.unwrap()
        });
    }
    let ids: HashSet<_> = instances.join_all().await.into_iter().collect();
    assert_eq!(ids.len(), 1);
}

#[tokio::test]
async fn each_prefix_is_a_separate_ledger() {
    let Some(server) = shared() else { return };
    let [one, other] = [prefix(), prefix()];
    let one = RedisStore::builder(&server.url()).prefix(&one).connect().await.unwrap();
    let other = RedisStore::builder(&server.url()).prefix(&other).connect().await.unwrap();
    let ids = (one.id().await.unwrap(), other.id().await.unwrap());
    assert_ne!(ids.0, ids.1);
    write(&one, ids.0, "call").await.unwrap();
    assert_eq!(read(&other, ids.1, "call").await.unwrap(), None);
    write(&other, ids.1, "call").await.unwrap();
}

/// Redis expires entries by its wall clock.
#[tokio::test]
async fn all_keys_have_the_prefix_and_writes_remove_expired_ones() {
    let Some(server) = super::RedisServer::start(&["--save", ""]) else { return };
    let ledger = connect(&server).await;
    let id = ledger.id().await.unwrap();
    let short = async |name: &str, keep| {
        ledger.swap(LedgerKey::new(id, name), None, name.as_bytes().into(), keep, None).await.unwrap()
    };
    for number in 0..20 {
        short(&format!("short-{number}"), LONG).await;
        short(&format!("gone-{number}"), Duration::from_millis(1)).await;
    }
    tokio::time::sleep(Duration::from_millis(5)).await;
    for number in 0..3 {
        write(&ledger, id, &format!("more-{number}")).await.unwrap();
    }
    assert_eq!(server.command("DBSIZE"), format!(":{}", 2 + 23));
    for key in ["{mcp}:ledger".to_owned(), "{mcp}:expiry".to_owned(), format!("{{mcp}}:{id}:short-1")] {
        assert_eq!(server.command(&format!("TTL {key}")), ":-1", "{key}");
    }
    assert_eq!(read(&ledger, id, "gone-1").await.unwrap(), None);
    assert!(read(&ledger, id, "short-1").await.unwrap().is_some());
}

/// The last writer may have used a Redis with another wall clock.
#[tokio::test]
async fn ledger_time_continues_from_the_last_write() {
    let Some(server) = super::RedisServer::start(&["--save", ""]) else { return };
    let ledger = connect(&server).await;
    let id = ledger.id().await.unwrap();
    write(&ledger, id, "call").await.unwrap();
    let later = ledger.now().after(2 * LONG);
    assert_eq!(server.command(&format!("HSET {{mcp}}:ledger time {}", later.0)), ":0");
    assert!(later <= connect(&server).await.now(), "by whoever connects");
    assert!(ledger.now() < later, "nobody has looked");
    assert_eq!(read(&ledger, id, "call").await.unwrap(), None, "expired by the ledger's time");
    assert!(later <= ledger.now(), "now it is known");
    let late = ledger.swap(LedgerKey::new(id, "call"), None, [][..].into(), LONG, Some(later)).await.unwrap();
    assert_eq!(late, Swapped::TooLate);
}
