//! A database that stops, loses data, or fails over.

use std::{path::Path, process::Command};

use super::{server::program, *};
use crate::engine::runs::{RunLimits, RunQuota, RunRecord, RunStore as _};

const NO_LIMIT: RunQuota = RunQuota { runs: usize::MAX, bytes: u64::MAX };

async fn is_another(store: &PostgresStore, old: LedgerId) -> LedgerId {
    for _ in 0..2 {
        assert!(matches!(read(store, old, "call").await, Err(LedgerError::Replaced)));
        assert!(matches!(write(store, old, "call").await, Err(LedgerError::Replaced)));
    }
    let new = store.id().await.unwrap();
    assert_ne!(new, old);
    assert_eq!(read(store, new, "call").await.unwrap(), None);
    new
}

#[tokio::test]
async fn an_emptied_database_is_another_ledger() {
    let Some(server) = durable() else { return };
    let (store, other) = (connect(&server.url()).await, connect(&server.url()).await);
    let mut id = store.id().await.unwrap();
    for sql in [
        "TRUNCATE mcp_ledger_entry",
        "TRUNCATE mcp_ledger_finished",
        "TRUNCATE mcp_ledger_slot",
        "DELETE FROM mcp_ledger",
        "TRUNCATE mcp_ledger, mcp_ledger_entry, mcp_ledger_finished, mcp_ledger_slot",
        "UPDATE mcp_ledger SET one = one",
    ] {
        write(&store, id, "call").await.unwrap();
        server.sql(sql);
        let old = id;
        id = is_another(&store, old).await;
        // The other instance has not noticed it yet.
        assert_eq!(is_another(&other, old).await, id, "{sql}");
    }
}

#[tokio::test]
async fn a_database_restored_from_a_dump_is_another_ledger() {
    let Some(server) = durable() else { return };
    let store = connect(&server.url()).await;
    let old = store.id().await.unwrap();
    write(&store, old, "call").await.unwrap();
    let dump = server.directory().join("dump");
    let mut command = program("pg_dump").unwrap();
    let all = ["-U", "mcp", "-d", "postgres", "-n", "public", "-f"];
    assert!(command.arg("-h").arg(server.directory()).args(all).arg(&dump).status().unwrap().success());
    // This call is lost.
    write(&store, old, "late").await.unwrap();
    server.sql("DROP SCHEMA public CASCADE");
    server.script(&std::fs::read_to_string(dump).unwrap()).unwrap();
    assert_eq!(server.sql("SELECT count(*) FROM mcp_ledger_entry"), "1");
    // The next instance to start notices it first.
    let new = connect(&server.url()).await.id().await.unwrap();
    assert_ne!(new, old);
    assert_eq!(is_another(&store, old).await, new);
}

/// The copy has the same id, and the place and the transactions are the same.
#[tokio::test]
async fn an_instance_notices_that_an_older_copy_of_the_data_was_put_back() {
    let Some(server) = durable() else { return };
    let store = connect(&server.url()).await;
    let old = store.id().await.unwrap();
    write(&store, old, "call").await.unwrap();
    server.kill();
    let copy = server.directory().join("copy");
    let copied = |from: &Path, to: &Path| {
        assert!(Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap().success());
    };
    copied(&server.data(), &copy);
    server.start_again();
    for number in 0..5 {
        soon(async || match write(&store, old, &format!("late-{number}")).await {
            Err(LedgerError::Failed(error)) => Err(error),
            result => Ok(result),
        })
        .await
        .unwrap();
    }
    server.kill();
    std::fs::remove_dir_all(server.data()).unwrap();
    copied(&copy, &server.data());
    server.start_again();
    is_another(&store, old).await;
}

#[tokio::test]
async fn a_database_that_crashes_is_the_same_ledger() {
    let Some(server) = PostgresServer::start(&["-c", "synchronous_commit=off", "-c", "wal_writer_delay=10s"]) else {
        return;
    };
    let store = connect(&server.url()).await;
    let id = store.id().await.unwrap();
    for round in 0..3 {
        let name = format!("call-{round}");
        let version = write(&store, id, &name).await.unwrap();
        server.kill();
        server.start_again();
        // A load retries after the lost connection.
        assert_eq!(read(&store, id, &name).await.unwrap(), Some(name.clone().into_bytes()));
        let swapped = store.swap(LedgerKey::new(id, &name), Some(version), b"more"[..].into(), LONG, None).await;
        assert!(matches!(swapped, Ok(Swapped::Done(next)) if next != version), "{swapped:?}");
        assert_eq!((store.id().await.unwrap(), connect(&server.url()).await.id().await.unwrap()), (id, id));
    }
}

#[tokio::test]
async fn a_database_that_does_not_wait_for_its_disk_is_another_ledger_after_a_restart() {
    let Some(server) = PostgresServer::start(&["-c", "fsync=off"]) else { return };
    let store = connect(&server.url()).await;
    let old = store.id().await.unwrap();
    write(&store, old, "call").await.unwrap();
    server.kill();
    server.start_again();
    is_another(&store, old).await;
}

#[tokio::test]
async fn fails_during_an_outage_and_recovers() {
    let Some(server) = durable() else { return };
    let store = connect(&server.url()).await;
    let id = store.id().await.unwrap();
    server.kill();
    for _ in 0..3 {
        assert!(matches!(write(&store, id, "call").await, Err(LedgerError::Failed(_))));
        assert!(matches!(read(&store, id, "call").await, Err(LedgerError::Failed(_))));
    }
    server.start_again();
    assert_eq!(read(&store, id, "call").await.unwrap(), None);
    write(&store, id, "call").await.unwrap();
}

#[tokio::test]
async fn times_out_a_stalled_database() {
    let Some(server) = durable() else { return };
    let store = connect(&server.url()).await;
    let id = store.id().await.unwrap();
    write(&store, id, "early").await.unwrap();
    server.stall();
    let (read, written) = tokio::join!(read(&store, id, "call"), write(&store, id, "call"));
    let (Err(LedgerError::Failed(error)), Err(LedgerError::Failed(_))) = (read, written) else {
        panic!("it answers");
    };
    assert!(error.to_string().ends_with("check that the database runs and can be reached"), "{error}");
    server.wake();
    // The delayed operation was executed, or is not executed any more.
    let late = soon(async || store.swap(LedgerKey::new(id, "call"), None, b"late"[..].into(), LONG, None).await).await;
    match late {
        Swapped::Done(_) => {}
        Swapped::Conflict(Some(entry)) => assert_eq!(*entry.value, *b"call"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn rejects_a_replica_until_it_is_promoted_and_keeps_its_calls_if_it_is_durable() {
    for durable in [false, true] {
        let connect = async |server: &PostgresServer| {
            let builder = PostgresStore::builder(&server.url());
            if durable { builder.durable().connect().await } else { builder.connect().await }
        };
        let Some(primary) = super::durable() else { return };
        let store = connect(&primary).await.unwrap();
        let old = store.id().await.unwrap();
        write(&store, old, "call").await.unwrap();
        let run = RunRecord::new("tool", "sort", None, "instance", 1);
        store.insert(&run, RunLimits { per_owner: NO_LIMIT, total: NO_LIMIT }).await.unwrap();
        let replica = primary.start_replica();
        let error = connect(&replica).await.unwrap_err().to_string();
        assert!(error.contains("this is a replica: name the primary in the URL"), "{error}");

        primary.kill();
        replica.promote();
        let store = connect(&replica).await.unwrap();
        assert!(store.replace(&run).await.unwrap(), "runs go on at the replica");
        if durable {
            assert_eq!(store.id().await.unwrap(), old);
            assert_eq!(read(&store, old, "call").await.unwrap(), Some(b"call".to_vec()));
        } else {
            is_another(&store, old).await;
        }
    }
}

/// The instances do not restart: they find the new primary with the next operation.
#[tokio::test]
async fn an_instance_follows_the_primary() {
    let Some(primary) = durable() else { return };
    let replica_and_primary = |replica: &PostgresServer| {
        let hosts = format!("{},{}", primary.directory().display(), replica.directory().display());
        format!("host={hosts} user=mcp dbname=postgres target_session_attrs=read-write")
    };
    drop(connect(&primary.url()).await);
    let replica = primary.start_replica();
    let store = connect(&replica_and_primary(&replica)).await;
    let old = store.id().await.unwrap();
    write(&store, old, "call").await.unwrap();
    primary.kill();
    replica.promote();
    let found = soon(async || match read(&store, old, "call").await {
        Err(LedgerError::Failed(error)) => Err(error),
        result => Ok(result),
    })
    .await;
    assert!(matches!(found, Err(LedgerError::Replaced)), "{found:?}");
    is_another(&store, old).await;
}
