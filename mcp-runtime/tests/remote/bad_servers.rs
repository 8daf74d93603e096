//! Servers that do not do what they should.

use std::{
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    extract::Request,
    middleware::{Next, from_fn},
};

use mcp_runtime::{
    Result, Revision,
    prelude::*,
    remote::{Remote, RemoteError},
    testing::Client,
};
use serde_json::json;
use tokio::time::timeout;

use super::{
    planner,
    servers::{BadServer, shop},
};
use crate::support::remote_servers::{Done, serve};

fn http(body: &str) -> Option<Vec<u8>> {
    let length = body.len();
    Some(format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}").into())
}

#[tokio::test]
async fn a_server_that_never_answers_ends_with_a_timeout() {
    let bad = BadServer::new(None).await;
    let remote = Remote::http(bad.url).named("bad").timeout(Duration::from_millis(100));
    let error =
        timeout(Duration::from_secs(5), remote.call("note", json!({})).into_future()).await.unwrap().unwrap_err();
    assert!(error.to_string().contains("it has not answered its first request within 100ms"), "{error}");
    assert!(bad.connections.load(Ordering::Relaxed) <= 2);
}

#[tokio::test]
async fn a_server_that_answers_wrongly_is_quoted() {
    for answer in [
        http("hello"),
        http("[]"),
        http(r#"{"jsonrpc":"2.0","id":77,"result":{}}"#),
        http(r#"{"jsonrpc":"2.0","id":1,"result":7}"#),
        Some(b"nothing of HTTP".to_vec()),
        Some(Vec::new()),
    ] {
        let bad = BadServer::new(answer).await;
        let remote = Remote::http(bad.url).named("bad").timeout(Duration::from_secs(5));
        let error = timeout(Duration::from_secs(10), remote.call("note", json!({})).into_future()).await.unwrap();
        let error = error.unwrap_err();
        assert!(error.to_string().contains("the server `bad` "), "{error}");
        assert!(!error.may_have_run(), "{error}");
    }
}

#[tokio::test]
async fn settings_that_are_wrong_are_explained() {
    let error = Remote::http("ftp://example.com").call("note", json!({})).await.unwrap_err();
    assert!(matches!(&error, RemoteError::Settings { .. }), "{error}");
    let error = Remote::stdio(&Command::new("/does/not/exist")).call("note", json!({})).await.unwrap_err();
    let expected = "the server `exist` cannot be reached: `/does/not/exist` cannot be started";
    assert!(error.to_string().starts_with(expected), "{error}");
    let error = Remote::stdio(&Command::new("false")).call("note", json!({})).await.unwrap_err();
    assert!(error.to_string().contains("exit status: 1"), "{error}");
}

/// Calls itself at another server, which is the same one.
#[mcp_tool(read_only, replayable)]
async fn again(ctx: &Ctx, other: &Remote) -> Result<String> {
    let result = other.call("again", json!({})).within(ctx).await?;
    Ok(result.content()[0].as_text().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_call_that_comes_back_to_its_server_ends() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let service =
        Server::new("mirror", "1").state(Remote::http(&*url).named("mirror")).tools(tools![again]).build().unwrap();
    listener.set_nonblocking(true).unwrap();
    let listener = tokio::net::TcpListener::from_std(listener).unwrap();
    let router = axum::Router::new().nest("/mcp", service.router());
    tokio::spawn(async move { axum::serve(listener, router).await });
    let mut client = Client::new(&service, Revision::LATEST);
    let ended = client.call("again", ()).await;
    assert!(ended.text().contains("has passed through 8 servers already"), "{}", ended.text());
}

#[tokio::test]
async fn a_request_without_a_reply_is_not_sent_again() {
    // It answers what comes before a call, and closes the connection of each call.
    let calls = Arc::<AtomicUsize>::default();
    let count = Arc::clone(&calls);
    let service = shop(&Done::default()).build().unwrap();
    let router = service.router().layer(from_fn(move |request: Request, next: Next| {
        let count = Arc::clone(&count);
        async move {
            if request.headers().get("mcp-method").is_some_and(|method| method == "tools/call") {
                count.fetch_add(1, Ordering::Relaxed);
                panic!("the connection is closed without a response");
            }
            next.run(request).await
        }
    }));
    let remote = Remote::http(serve(router).await).named("shop");
    let error = remote.call("note", json!({ "line": "tea" })).await.unwrap_err();
    assert!(error.may_have_run(), "{error}");
    assert_eq!(calls.load(Ordering::Relaxed), 1);
    let service = planner(&remote).build().unwrap();
    let mut client = Client::new(&service, Revision::LATEST).rebuilding();
    let lost = client.call("forward", json!({ "tool": "note", "arguments": { "line": "tea" } })).await;
    assert!(lost.is_error() && lost.text().contains("and may have run it"), "{}", lost.text());
    assert_eq!(calls.load(Ordering::Relaxed), 2);
}
