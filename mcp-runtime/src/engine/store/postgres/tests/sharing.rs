//! Instances that share the ledger in a database.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::{server::sql_at, *};
use crate::engine::durable::ledger::contract::ledger_contract;

#[tokio::test(flavor = "multi_thread")]
async fn postgres_keeps_the_ledger_contract() {
    let Some(server) = PostgresServer::shared() else { return };
    let url = server.schema();
    ledger_contract(async || connect(&url).await).await;
}

#[tokio::test]
async fn one_connection_keeps_the_ledger_contract() {
    let Some(server) = PostgresServer::shared() else { return };
    let url = server.schema();
    ledger_contract(async || PostgresStore::builder(&url).connections(1).connect().await.unwrap()).await;
}

#[tokio::test]
async fn each_schema_is_a_separate_ledger() {
    let Some(server) = PostgresServer::shared() else { return };
    let (one, other) = (connect(&server.schema()).await, connect(&server.schema()).await);
    let ids = (one.id().await.unwrap(), other.id().await.unwrap());
    assert_ne!(ids.0, ids.1);
    write(&one, ids.0, "call").await.unwrap();
    assert_eq!(read(&other, ids.1, "call").await.unwrap(), None);
    write(&other, ids.1, "call").await.unwrap();
}

#[tokio::test]
async fn a_process_makes_no_more_connections_than_it_may() {
    let Some(server) = PostgresServer::shared() else { return };
    let url = server.schema();
    let named = format!("{url} application_name=counted");
    let store = Arc::new(PostgresStore::builder(&named).connections(3).connect().await.unwrap());
    let id = store.id().await.unwrap();
    let mut writes = JoinSet::new();
    for number in 0..50 {
        let store = Arc::clone(&store);
        writes.spawn(async move { write(&store, id, &format!("call-{number}")).await.unwrap() });
    }
    assert_eq!(writes.join_all().await.len(), 50);
    let connected = sql_at(&url, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'counted'");
    assert!(["2", "3"].contains(&&*connected), "{connected}");
}

#[tokio::test]
async fn writes_remove_expired_entries() {
    let Some(server) = PostgresServer::shared() else { return };
    let url = server.schema();
    let store = connect(&url).await;
    let id = store.id().await.unwrap();
    for number in 0..20 {
        for (name, keep) in [("long", LONG), ("gone", Duration::from_millis(1))] {
            let name = format!("{name}-{number}");
            let key = LedgerKey::new(id, &name);
            store.swap(key, None, b"value"[..].into(), keep, None).await.unwrap();
        }
    }
    sleep(Duration::from_millis(5)).await;
    for number in 0..3 {
        write(&store, id, &format!("more-{number}")).await.unwrap();
    }
    assert_eq!(sql_at(&url, "SELECT count(*) FROM mcp_ledger_entry"), "23");
    assert_eq!(read(&store, id, "gone-1").await.unwrap(), None);
    assert!(read(&store, id, "long-1").await.unwrap().is_some());
    let counted = "SELECT sum(bytes) = (SELECT sum(mcp_ledger_size(name, value)) FROM mcp_ledger_entry) \
                   FROM mcp_ledger_slot";
    assert_eq!(sql_at(&url, counted), "t");
}

/// Another server with another wall clock may have written last.
#[tokio::test]
async fn ledger_time_continues_from_the_last_write() {
    let Some(server) = PostgresServer::shared() else { return };
    let url = server.schema();
    let store = connect(&url).await;
    let id = store.id().await.unwrap();
    write(&store, id, "call").await.unwrap();
    let later = store.now().after(2 * LONG);
    sql_at(&url, &format!("UPDATE mcp_ledger_slot SET written_at = {} WHERE slot = 7", later.0));
    assert!(later <= connect(&url).await.now(), "an instance that connects knows the time");
    assert!(store.now() < later, "this one has not asked");
    assert_eq!(read(&store, id, "call").await.unwrap(), None, "the entry expires by the ledger's time");
    assert!(later <= store.now());
    let late = store.swap(LedgerKey::new(id, "call"), None, [][..].into(), LONG, Some(later)).await.unwrap();
    assert_eq!(late, Swapped::TooLate);
}

#[tokio::test]
async fn a_finished_call_becomes_a_bit_when_its_reply_is_no_longer_kept() {
    let Some(server) = PostgresServer::shared() else { return };
    let url = server.schema();
    let store = PostgresStore::builder(&url).keep_replies(Duration::ZERO).connect().await.unwrap();
    let id = store.id().await.unwrap();
    let call = |number: u64| format!("{number:016x}{:016x}", 7);
    for number in 0..300 {
        let name = call(number);
        let key = LedgerKey::new(id, &name);
        let finished = store.finish(key, None, b"result"[..].into(), LONG).await.unwrap();
        assert!(matches!(finished, Swapped::Done(_)));
    }
    write(&store, id, "call").await.unwrap();
    let counts = "SELECT (SELECT count(*) FROM mcp_ledger_entry), (SELECT count(*) FROM mcp_ledger_finished)";
    assert_eq!(sql_at(&url, counts), "1|1");
    for number in 0..300 {
        assert_eq!(read(&store, id, &call(number)).await.unwrap(), Some(Vec::new()), "{number}");
    }
    assert_eq!(read(&store, id, &call(300)).await.unwrap(), None);
    let key = call(3);
    let again = store.swap(LedgerKey::new(id, &key), None, b"again"[..].into(), LONG, None).await.unwrap();
    assert!(matches!(again, Swapped::Conflict(Some(entry)) if entry.value.is_empty()), "the call is known");
}

#[tokio::test]
async fn finished_calls_never_fill_the_ledger() {
    let Some(server) = PostgresServer::shared() else { return };
    let url = server.schema();
    let store = PostgresStore::builder(&url).limit(256 * 1024).connect().await.unwrap();
    let id = store.id().await.unwrap();
    let value = vec![7; 16 * 1024];
    for number in 0..100_u64 {
        let name = format!("{number:016x}{:016x}", 7);
        let key = LedgerKey::new(id, &name);
        let Swapped::Done(version) = store.swap(key, None, b"open"[..].into(), LONG, None).await.unwrap() else {
            panic!("it is new")
        };
        store.finish(key, Some(version), value[..].into(), LONG).await.unwrap();
    }
    let last = format!("{:016x}{:016x}", 99, 7);
    assert!(read(&store, id, &last).await.unwrap() == Some(value), "the last reply is kept");
}

#[tokio::test]
async fn rejects_new_entries_before_old_ones_run_out_of_room() {
    let Some(server) = PostgresServer::shared() else { return };
    let url = server.schema();
    let store = PostgresStore::builder(&url).limit(8 * 1024 * 1024).connect().await.unwrap();
    let id = store.id().await.unwrap();
    let mut version = write(&store, id, "old").await.unwrap();
    let value = vec![7; 256 * 1024];
    let mut number = 0;
    let full = loop {
        let name = format!("new-{number}");
        match store.swap(LedgerKey::new(id, &name), None, value[..].into(), LONG, None).await {
            Ok(_) if number < 100 => number += 1,
            result => break result,
        }
    };
    assert!(matches!(full, Err(LedgerError::Full)) && number == 15, "{full:?} after {number}");
    for size in [256, 512, 1024, 1024] {
        let value = vec![7; size * 1024];
        let swapped = store.swap(LedgerKey::new(id, "old"), Some(version), value.into(), LONG, None).await;
        let Ok(Swapped::Done(next)) = swapped else { panic!("{swapped:?}") };
        version = next;
    }
}

/// Later writes remove expired entries. In this test there are no later writes.
#[tokio::test]
async fn a_full_store_removes_expired_entries() {
    let Some(server) = PostgresServer::shared() else { return };
    let url = server.schema();
    let store = PostgresStore::builder(&url).limit(8 * 1024 * 1024).connect().await.unwrap();
    let id = store.id().await.unwrap();
    let value = vec![7; 256 * 1024];
    for number in 0..15 {
        let (name, keep) = (format!("short-{number}"), Duration::from_secs(2));
        store.swap(LedgerKey::new(id, &name), None, value[..].into(), keep, None).await.unwrap();
    }
    sleep(Duration::from_millis(2100)).await;
    store.swap(LedgerKey::new(id, "large"), None, vec![7; 3 << 20].into(), LONG, None).await.unwrap();
}
