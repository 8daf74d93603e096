//! A Redis that stops, loses data, fills up, or fails over.

use std::time::{Duration, Instant};

use mcp_runtime::store::{Ledger, LedgerError, LedgerKey, RedisStore, Swapped};

use super::{LONG, RedisServer, a_second_passes, connect, read, write};

#[tokio::test]
async fn an_emptied_redis_is_another_ledger() {
    let Some(server) = RedisServer::durable() else { return };
    let (ledger, other) = (connect(&server).await, connect(&server).await);
    let old = ledger.id().await.unwrap();
    write(&ledger, old, "call").await.unwrap();
    server.empty();
    assert!(matches!(write(&ledger, old, "call").await, Err(LedgerError::Replaced)));
    assert!(matches!(read(&ledger, old, "call").await, Err(LedgerError::Replaced)));
    let new = ledger.id().await.unwrap();
    assert_ne!(new, old);
    assert_eq!(read(&ledger, new, "call").await.unwrap(), None);
    // The other instance has not noticed it yet.
    assert!(matches!(read(&other, old, "call").await, Err(LedgerError::Replaced)));
    assert_eq!(other.id().await.unwrap(), new);

    assert_eq!(server.command("DEL {mcp}:ledger"), ":1");
    assert!(matches!(write(&other, new, "next").await, Err(LedgerError::Replaced)));
    assert_ne!(other.id().await.unwrap(), new);
}

#[tokio::test]
async fn a_durable_redis_is_the_same_ledger_after_a_crash() {
    let Some(server) = RedisServer::durable() else { return };
    let ledger = connect(&server).await;
    let id = ledger.id().await.unwrap();
    for round in 0..3 {
        let name = format!("call-{round}");
        let version = write(&ledger, id, &name).await.unwrap();
        server.kill();
        server.start_again();
        // A load retries after the lost connection.
        assert_eq!(read(&ledger, id, &name).await.unwrap(), Some(name.clone().into_bytes()));
        let swapped = ledger.swap(LedgerKey::new(id, &name), Some(version), b"more"[..].into(), LONG, None).await;
        assert!(matches!(swapped, Ok(Swapped::Done(next)) if next != version), "{swapped:?}");
        assert_eq!((ledger.id().await.unwrap(), connect(&server).await.id().await.unwrap()), (id, id));
    }
}

#[tokio::test]
async fn a_redis_without_durability_is_another_ledger_after_a_restart() {
    let Some(server) = RedisServer::start(&["--save", ""]) else { return };
    let connect = async || RedisStore::connect(&server.url()).await.unwrap();
    let ledger = connect().await;
    let old = ledger.id().await.unwrap();
    write(&ledger, old, "early").await.unwrap();
    // Later writes are lost.
    assert_eq!(server.command("SAVE"), "+OK");
    write(&ledger, old, "late").await.unwrap();
    server.kill();
    server.start_again();
    assert_eq!(server.command(&format!("EXISTS {{mcp}}:{old}:early {{mcp}}:{old}:late")), ":1");
    for name in ["late", "early"] {
        assert!(matches!(read(&ledger, old, name).await, Err(LedgerError::Replaced)));
        assert!(matches!(write(&ledger, old, name).await, Err(LedgerError::Replaced)));
    }
    let new = ledger.id().await.unwrap();
    assert_ne!(new, old);
    assert_eq!(read(&ledger, new, "early").await.unwrap(), None);
    assert_eq!(connect().await.id().await.unwrap(), new);
}

#[tokio::test]
async fn fails_fast_during_an_outage_and_recovers() {
    let Some(server) = RedisServer::durable() else { return };
    let ledger = connect(&server).await;
    let id = ledger.id().await.unwrap();
    server.kill();
    for _ in 0..3 {
        let since = Instant::now();
        assert!(matches!(write(&ledger, id, "call").await, Err(LedgerError::Failed(_))));
        assert!(matches!(read(&ledger, id, "call").await, Err(LedgerError::Failed(_))));
        assert!(since.elapsed() < Duration::from_secs(20), "{:?}", since.elapsed());
    }
    server.start_again();
    assert_eq!(read(&ledger, id, "call").await.unwrap(), None);
    write(&ledger, id, "call").await.unwrap();
}

#[tokio::test]
async fn times_out_a_stalled_redis() {
    let Some(server) = RedisServer::durable() else { return };
    let ledger = connect(&server).await;
    let id = ledger.id().await.unwrap();
    // Redis has loaded the library.
    write(&ledger, id, "early").await.unwrap();
    assert!(read(&ledger, id, "early").await.unwrap().is_some());
    server.stall();
    let since = Instant::now();
    let (read, written) = tokio::join!(read(&ledger, id, "call"), write(&ledger, id, "call"));
    let (Err(LedgerError::Failed(error)), Err(LedgerError::Failed(_))) = (read, written) else {
        panic!("it answers");
    };
    assert!(error.to_string().contains("does not answer in time"), "{error}");
    assert!(since.elapsed() < Duration::from_secs(10), "{:?}", since.elapsed());
    server.wake();
    // The delayed command was executed.
    let late = ledger.swap(LedgerKey::new(id, "call"), None, b"late"[..].into(), LONG, None).await.unwrap();
    assert!(matches!(&late, Swapped::Conflict(Some(entry)) if *entry.value == *b"call"), "{late:?}");
}

#[tokio::test]
async fn rejects_new_entries_before_old_ones_run_out_of_room() {
    let Some(server) = RedisServer::start(&["--save", ""]) else { return };
    let ledger = connect(&server).await;
    let id = ledger.id().await.unwrap();
    let mut version = write(&ledger, id, "old").await.unwrap();
    let most = server.info("used_memory") + 8 * 1024 * 1024;
    assert_eq!(server.command(&format!("CONFIG SET maxmemory {most}")), "+OK");
    let value = vec![7; 256 * 1024];
    let new = async |number: usize| {
        ledger.swap(LedgerKey::new(id, &format!("new-{number}")), None, value[..].into(), LONG, None).await
    };
    let mut number = 0;
    let full = loop {
        match new(number).await {
            Ok(_) if number < 100 => number += 1,
            result => break result,
        }
    };
    assert!(matches!(full, Err(LedgerError::Full)) && 8 < number, "{full:?} after {number}");
    for _ in 0..10 {
        let swapped = ledger.swap(LedgerKey::new(id, "old"), Some(version), value[..].into(), LONG, None).await;
        let Ok(Swapped::Done(next)) = swapped else { panic!("{swapped:?}") };
        version = next;
    }

    // A store without any room is reported too.
    assert_eq!(server.command("CONFIG SET maxmemory 1mb"), "+OK");
    let swapped = ledger.swap(LedgerKey::new(id, "old"), Some(version), value[..].into(), LONG, None).await;
    assert!(matches!(swapped, Err(LedgerError::Full)), "{swapped:?}");
    assert_eq!(read(&ledger, id, "old").await.unwrap(), Some(value));
}

/// Later writes remove expired entries. In this test there are no later writes.
#[tokio::test]
async fn a_full_store_removes_expired_entries() {
    let Some(server) = RedisServer::start(&["--save", ""]) else { return };
    let ledger = connect(&server).await;
    let id = ledger.id().await.unwrap();
    let value = vec![7; 256 * 1024];
    let short = Duration::from_millis(200);
    for number in 0..32 {
        let name = format!("short-{number}");
        ledger.swap(LedgerKey::new(id, &name), None, value[..].into(), short, None).await.unwrap();
    }
    let most = server.info("used_memory") - 1024 * 1024;
    assert_eq!(server.command(&format!("CONFIG SET maxmemory {most}")), "+OK");
    tokio::time::sleep(2 * short).await;
    let written = write(&ledger, id, "new").await;
    assert!(matches!(written, Err(LedgerError::Full)), "{written:?}");
    write(&ledger, id, "new").await.unwrap();
}

#[tokio::test]
async fn rejects_new_entries_a_second_after_redis_may_evict() {
    let Some(server) = RedisServer::start(&["--save", ""]) else { return };
    let ledger = connect(&server).await;
    let id = ledger.id().await.unwrap();
    write(&ledger, id, "old").await.unwrap();
    for policy in ["allkeys-lru", "volatile-ttl"] {
        a_second_passes(&server);
        assert_eq!(server.command(&format!("CONFIG SET maxmemory-policy {policy}")), "+OK");
        let Err(LedgerError::Failed(error)) = write(&ledger, id, "new").await else { panic!("it is written") };
        assert!(error.to_string().contains(policy), "{error}");
        let error = RedisStore::connect(&server.url()).await.unwrap_err().to_string();
        assert!(error.contains(&format!("its `maxmemory-policy` is `{policy}`")), "{error}");
        assert!(error.contains("set `maxmemory-policy noeviction`"), "{error}");
    }
    assert_eq!(server.command("CONFIG SET maxmemory-policy noeviction"), "+OK");
    write(&ledger, id, "new").await.unwrap();
}

#[tokio::test]
async fn rejects_a_replica_until_it_is_promoted_as_durable() {
    for durable in [false, true] {
        let connect = async |server: &RedisServer| {
            let builder = RedisStore::builder(&server.url());
            if durable { builder.durable().connect().await } else { builder.connect().await }
        };
        // A replica is configured with a port only.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
        let Some(primary) = RedisServer::start(&["--save", "", "--port", &port, "--repl-diskless-sync-delay", "0"])
        else {
            return;
        };
        let replicates = ["--save", "", "--replicaof", "127.0.0.1", &port];
        let replica = RedisServer::start(&replicates).unwrap();
        let ledger = connect(&primary).await.unwrap();
        let old = ledger.id().await.unwrap();
        write(&ledger, old, "call").await.unwrap();
        let patience = Instant::now() + Duration::from_secs(20);
        while replica.command("DBSIZE") != ":3" {
            assert!(Instant::now() < patience, "{}", replica.command("INFO replication"));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let error = connect(&replica).await.unwrap_err().to_string();
        assert!(error.contains("is a replica (name the primary in the URL)"), "{error}");

        primary.kill();
        assert_eq!(replica.command("REPLICAOF NO ONE"), "+OK");
        let ledger = connect(&replica).await.unwrap();
        assert_eq!(ledger.id().await.unwrap() == old, durable);
        match read(&ledger, old, "call").await {
            Ok(value) => assert!(durable && value.is_some()),
            Err(error) => assert!(!durable && matches!(error, LedgerError::Replaced), "{error:?}"),
        }
    }
}
