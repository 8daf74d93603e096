//! Health checks for load balancers, and warnings at the start of a server.

use std::{sync::atomic::Ordering, time::Duration};

use axum::{
    Router,
    body::Body,
    http::{Request, StatusCode},
};
use http_body_util::BodyExt;
use mcp_runtime::{
    Server,
    store::{KeyRing, MemoryLedger},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::oneshot,
};
use tower::ServiceExt;
use tracing_subscriber::prelude::*;

use crate::support::log::set_default;
use crate::support::shared_ledger::SharedLedger;
use crate::watching::{recorder::Seen, tools::service};

fn with_ledger(ledger: &SharedLedger) -> Router {
    Server::new("s", "1").ledger(ledger.clone()).state_keys(KeyRing::random()).build().unwrap().health_router()
}

async fn get(app: &Router, path: &str) -> (StatusCode, String) {
    // A load balancer asks by address, and the script of a page gets nothing more.
    let request = Request::get(path).header("host", "192.0.2.7").header("origin", "https://a.example");
    let response = app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(response.headers()["cache-control"], "no-store");
    let status = response.status();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

fn ok() -> (StatusCode, String) {
    (StatusCode::OK, "ok\n".to_owned())
}

fn not_ready() -> (StatusCode, String) {
    (StatusCode::SERVICE_UNAVAILABLE, "not ready\n".to_owned())
}

#[tokio::test]
async fn a_server_is_alive_and_ready_until_it_retires() {
    let service = service();
    let app = service.health_router();
    assert_eq!(get(&app, "/health").await, ok());
    assert_eq!(get(&app, "/health/ready").await, ok());
    service.retire();
    assert_eq!(get(&app, "/health").await, ok());
    assert_eq!(get(&app, "/health/ready").await, not_ready());
    let post = app.clone().oneshot(Request::post("/health").body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(post.status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test(start_paused = true)]
async fn a_server_whose_ledger_is_away_is_not_ready() {
    let ledger = SharedLedger::default();
    let app = with_ledger(&ledger);
    assert_eq!(get(&app, "/health/ready").await, ok());
    ledger.is_away.set(true);
    assert_eq!(get(&app, "/health/ready").await, ok(), "it was there just now");
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(get(&app, "/health/ready").await, not_ready());
    assert_eq!(get(&app, "/health").await, ok());
    ledger.is_away.set(false);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(get(&app, "/health/ready").await, ok());
}

#[tokio::test]
async fn a_server_whose_wall_clock_is_wrong_says_so_and_is_ready() {
    let ledger = SharedLedger::default();
    let app = with_ledger(&ledger);
    for (behind, warning) in [
        (0, ""),
        (290, ""),
        (600, "warning: the wall clock of this machine is 600 s ahead of the time of its ledger\n"),
    ] {
        ledger.behind.store(behind, Ordering::Relaxed);
        assert_eq!(get(&app, "/health/ready").await, (StatusCode::OK, format!("ok\n{warning}")));
        assert_eq!(get(&app, "/health").await, ok());
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_whose_ledger_is_out_of_space_is_not_ready_until_it_can_write_again() {
    let ledger = SharedLedger::default();
    let app = with_ledger(&ledger);
    assert_eq!(get(&app, "/health/ready").await, ok());
    for _ in 0..2 {
        ledger.is_out_of_space.set(true);
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(get(&app, "/health/ready").await, not_ready());
        ledger.is_out_of_space.set(false);
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(get(&app, "/health/ready").await, ok());
    }
}

#[tokio::test(start_paused = true)]
async fn waits_one_second_for_a_ledger() {
    let ledger = SharedLedger::default();
    let app = with_ledger(&ledger);
    ledger.hangs.set(true);
    let begun = tokio::time::Instant::now();
    assert_eq!(get(&app, "/health/ready").await, not_ready());
    assert_eq!(begun.elapsed(), Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn asks_the_ledger_once_a_second_at_most() {
    let ledger = SharedLedger::default();
    let app = with_ledger(&ledger);
    let asking: Vec<_> =
        (0..20).map(|_| app.clone()).map(|app| tokio::spawn(async move { get(&app, "/health/ready").await })).collect();
    for asked in asking {
        assert_eq!(asked.await.unwrap(), ok());
    }
    assert_eq!(ledger.loads.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn serve_http_serves_health_checks_and_logs_warnings() {
    let seen = Seen::default();
    let _guard = set_default(tracing_subscriber::registry().with(seen.clone()));
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (stop, stopped) = oneshot::channel::<()>();
    let service = service();
    let health = service.health_router();
    let serving = tokio::spawn({
        let service = service.clone();
        async move { service.serve_listener(listener, async { drop(stopped.await) }).await }
    });
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    stream.write_all(b"GET /health HTTP/1.1\r\nhost: 192.0.2.7\r\nconnection: close\r\n\r\n").await.unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await.unwrap();
    assert!(reply.starts_with("HTTP/1.1 200 OK\r\n") && reply.ends_with("\r\n\r\nok\n"), "{reply}");
    let events = seen.events().join("\n");
    for told in ["answers 403", "Server::authorization", "open calls of `book`, `hold`"] {
        assert!(events.contains(told), "{told} in {events}");
    }
    drop(stop);
    serving.await.unwrap();
    assert_eq!(get(&health, "/health/ready").await, not_ready());
}

#[test]
fn a_shared_ledger_needs_shared_keys() {
    let seen = Seen::default();
    let _guard = set_default(tracing_subscriber::registry().with(seen.clone()));
    let told = || seen.events().iter().any(|event| event.contains("the state keys are random"));
    assert!(std::env::var_os("MCP_STATE_KEY").is_none(), "the test is about servers without");
    Server::new("s", "1").ledger(MemoryLedger::default()).build().unwrap();
    Server::new("s", "1").ledger(SharedLedger::default()).state_keys(KeyRing::random()).build().unwrap();
    assert!(!told());
    Server::new("s", "1").ledger(SharedLedger::default()).build().unwrap();
    assert!(told());
}
