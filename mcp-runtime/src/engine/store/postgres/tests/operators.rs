//! Tables that an operator creates, users with few rights, and the texts of errors.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tokio::task::JoinSet;

use super::{server::sql_at, *};
use crate::engine::runs::{RunFilter, RunStore as _};

fn error(result: Result<PostgresStore, PostgresStoreError>) -> String {
    result.expect_err("it is connected").to_string()
}

#[tokio::test]
async fn a_server_needs_no_right_to_create_tables() {
    let Some(server) = durable() else { return };
    server.sql("CREATE USER app; REVOKE ALL ON SCHEMA public FROM PUBLIC; GRANT USAGE ON SCHEMA public TO app");
    let url = format!("host={} user=app dbname=postgres", server.directory().display());
    let refused = error(PostgresStore::connect(&url).await);
    assert!(refused.contains("run the command `store migrate` of the program"), "{refused}");

    for _ in 0..2 {
        // As an operator does.
        server.script(PostgresStore::migration()).unwrap();
    }
    // As the beginning of the script says.
    let grants = PostgresStore::migration().lines().filter_map(|line| line.strip_prefix("--     "));
    for grant in grants.map(|grant| grant.replacen("...", "public", 1).replacen("...", "app", 1)) {
        server.sql(&grant);
    }
    for _ in 0..2 {
        let store = connect(&url).await;
        let id = store.id().await.unwrap();
        let name = format!("call-{}", LedgerId::random());
        write(&store, id, &name).await.unwrap();
        let call = LedgerId::random().to_string();
        store.finish(LedgerKey::new(id, &call), None, b"result"[..].into(), LONG).await.unwrap();
        assert_eq!(store.list(&RunFilter { limit: 1, ..RunFilter::default() }).await.unwrap(), []);
        server.sql("DELETE FROM mcp_ledger");
        assert!(matches!(read(&store, id, &name).await, Err(LedgerError::Replaced)));
        assert_ne!(store.id().await.unwrap(), id);
    }
}

#[cfg(feature = "cli")]
#[tokio::test]
async fn the_command_store_migrate_creates_the_tables() {
    let Some(server) = PostgresServer::shared() else { return };
    let url = server.schema();
    let store = connect(&url).await;
    for sql in ["DROP TABLE mcp_store", "SELECT"] {
        sql_at(&url, sql);
        let program = crate::Server::new("trips", "1.0.0").store(store.clone());
        let code = program.run_with(["store", "migrate"]).await;
        assert_eq!(format!("{code:?}"), format!("{:?}", std::process::ExitCode::SUCCESS));
        assert_eq!(sql_at(&url, "SELECT version FROM mcp_store"), "1");
    }
}

#[tokio::test]
async fn tables_of_the_next_version_can_be_used_and_those_of_a_later_one_cannot() {
    let Some(server) = durable() else { return };
    drop(connect(&server.url()).await);
    server.sql("UPDATE mcp_store SET version = version + 1");
    drop(connect(&server.url()).await);
    server.sql("UPDATE mcp_store SET version = version + 1");
    let newer = error(PostgresStore::connect(&server.url()).await);
    assert!(newer.ends_with("the tables of the store belong to a newer version of the program; run that version"));
    // The script of this version does not change them.
    let refused = server.script(PostgresStore::migration()).unwrap_err();
    assert!(refused.contains("the tables belong to a newer version of the program"), "{refused}");
}

#[tokio::test]
async fn errors_say_what_to_do_and_hide_the_password() {
    let no_server = error(PostgresStore::connect("postgres://ann:hunter2@127.0.0.1:1/app").await);
    assert!(no_server.contains("PostgreSQL at `127.0.0.1`, database `app`: "), "{no_server}");
    assert!(no_server.ends_with("check that the database runs and can be reached"), "{no_server}");
    let no_url = error(PostgresStore::connect("postgres://ann:hunter2@[x").await);
    assert!(no_url.ends_with("is not valid; write `postgres://user:password@host/database`"), "{no_url}");
    let debug = format!("{:?}", PostgresStore::builder("postgres://ann:hunter2@[x"));
    let mut texts = vec![no_server, no_url, debug];
    if let Some(server) = PostgresServer::shared() {
        let no_database = format!("host={} user=mcp dbname=none password=hunter2", server.directory().display());
        let no_database = error(PostgresStore::connect(&no_database).await);
        assert!(no_database.ends_with("create the database first"), "{no_database}");
        texts.push(no_database);
        texts.push(format!("{:?}", connect(&format!("{} password=hunter2", server.schema())).await));
    }
    for text in texts {
        assert!(!text.contains("hunter2"), "{text}");
    }
}

/// The script locks the tables before it changes them. Otherwise it and a write can wait for each other.
#[tokio::test(flavor = "multi_thread")]
async fn tables_can_be_changed_while_servers_write() {
    let Some(server) = PostgresServer::shared() else { return };
    let url = server.schema();
    let is_done = Arc::new(AtomicBool::new(false));
    let mut writers = JoinSet::new();
    for writer in 0..4 {
        let (store, is_done) = (connect(&url).await, Arc::clone(&is_done));
        writers.spawn(async move {
            let id = store.id().await.unwrap();
            let mut count = 0;
            while !is_done.load(Ordering::Relaxed) {
                write(&store, id, &format!("call-{writer}-{count}")).await.unwrap();
                count += 1;
            }
            count
        });
    }
    for sql in ["UPDATE mcp_store SET version = 0", "DELETE FROM mcp_store"].repeat(3) {
        sql_at(&url, sql);
        drop(connect(&url).await);
        assert_eq!(sql_at(&url, "SELECT version FROM mcp_store"), "1");
    }
    is_done.store(true, Ordering::Relaxed);
    assert!(writers.join_all().await.iter().all(|count| *count > 0));
}
