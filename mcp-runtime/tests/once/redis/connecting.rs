//! Connecting to Redis and authenticating.

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    thread,
    time::{Duration, Instant},
};

use mcp_runtime::store::{Ledger, RedisStore, RedisStoreError};

use super::{RedisServer, prefix, shared, write};

const SECRET: &str = "s3cr3t";

async fn refused(url: &str) -> RedisStoreError {
    let since = Instant::now();
    let error = RedisStore::connect(url).await.expect_err("it is connected");
    assert!(since.elapsed() < Duration::from_secs(10), "{:?} for `{url}`", since.elapsed());
    let words = format!("{error} {error:?}");
    assert!(!words.contains(SECRET), "{words}");
    error
}

#[tokio::test]
async fn an_error_does_not_repeat_an_invalid_url() {
    for url in
        ["", "redis", "http://h", "redis://:s3cr3t@", "redis://u:s3cr3t@h:port", "redis://:s3cr3t@h/db", "s3cr3t"]
    {
        let error = refused(url).await;
        assert!(matches!(error, RedisStoreError::Url), "{error:?} for `{url}`");
        assert!(error.to_string().contains("write `redis://"), "{error}");
    }
}

#[tokio::test]
async fn limits_the_characters_of_a_prefix() {
    let long = "p".repeat(65);
    for prefix in ["", "a b", "a{b}", "ä", "a\0", "a\r\nb", &long] {
        let error = RedisStore::builder("redis://localhost").prefix(prefix).connect().await.unwrap_err();
        assert!(matches!(error, RedisStoreError::Prefix), "{error:?} for `{prefix}`");
    }
}

#[tokio::test]
async fn times_out_if_redis_cannot_be_reached() {
    // The second address is reserved for documentation and does not answer.
    for url in ["redis://:s3cr3t@127.0.0.1:1", "redis://:s3cr3t@192.0.2.1", "unix:///nowhere?pass=s3cr3t"] {
        let error = refused(url).await;
        assert!(matches!(error, RedisStoreError::Failed { .. }), "{error:?}");
        assert!(error.to_string().starts_with("Redis at "), "{error}");
    }
}

#[tokio::test]
async fn reports_a_server_that_is_not_redis() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("redis://:{SECRET}@{}?protocol=resp3", listener.local_addr().unwrap());
    // Echoes all input as an error, as some servers do with unknown commands.
    thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            thread::spawn(move || {
                let mut bytes = [0; 1024];
                while let Ok(length @ 1..) = connection.read(&mut bytes) {
                    let commands = String::from_utf8_lossy(&bytes[..length]).replace("\r\n", " ");
                    for command in commands.split('*').skip(1) {
                        connection.write_all(format!("-ERR unknown command {command}\r\n").as_bytes()).ok();
                    }
                }
            });
        }
    });
    let error = refused(&url).await;
    assert!(error.to_string().contains("unknown command") && error.to_string().contains("…"), "{error}");
}

#[tokio::test]
async fn a_wrong_password_is_an_error_and_never_shown() {
    let Some(server) = RedisServer::start(&["--save", "", "--requirepass", "right-password"]) else { return };
    let url = |pass: &str| format!("{}?pass={pass}", server.url());
    let error = refused(&url(SECRET)).await;
    assert!(error.to_string().contains("refuses the user or the password of the URL"), "{error}");
    let error = refused(&server.url()).await;
    assert!(error.to_string().contains("asks for a password"), "{error}");
    let ledger = RedisStore::connect(&url("right-password")).await.unwrap();
    let debug = format!("{ledger:?} {:?}", RedisStore::builder(&url("right-password")));
    assert!(debug.starts_with("RedisStore") && !debug.contains("right"), "{debug}");
    write(&ledger, ledger.id().await.unwrap(), "call").await.unwrap();
}

#[tokio::test]
async fn names_the_permissions_that_a_user_needs() {
    let Some(server) = shared() else { return };
    let prefix = prefix();
    let connect = async |user: &str| {
        let url = format!("{}?user={user}&pass=p4ss", server.url());
        RedisStore::builder(&url).prefix(&prefix).connect().await
    };
    assert_eq!(server.command("ACL SETUSER none on >p4ss ~*"), "+OK");
    let error = connect("none").await.unwrap_err().to_string();
    let (_, grants) = error.split_once("(grant `").unwrap_or_else(|| panic!("{error}"));
    let (grants, _) = grants.split_once('`').unwrap();
    assert_eq!(server.command(&format!("ACL SETUSER some on >p4ss ~{{{prefix}}}:* {grants}")), "+OK");
    let ledger = connect("some").await.unwrap();
    write(&ledger, ledger.id().await.unwrap(), "call").await.unwrap();
}
