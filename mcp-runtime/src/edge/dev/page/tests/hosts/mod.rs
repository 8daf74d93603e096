//! What hosts get through the endpoint.

mod hosted;
mod replaced;

use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::{Router, body::Body, routing::any};
use bytes::Bytes;
use http::{Request, Response, StatusCode, header::CONTENT_TYPE};
use http_body::Frame;
use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};
use tokio::{sync::mpsc, time::timeout};

use self::hosted::{BOTH, Hosted, LONG, TOKEN, initialize, kinds};
use crate::edge::dev::forward::connection::RequestConnection;

#[tokio::test]
async fn a_reply_passes_as_it_is_and_its_messages_are_logged() {
    let hosted = Hosted::server().await;
    let (status, response) = hosted.modern(7, "tools/list", json!({})).await;
    assert_eq!(status, StatusCode::OK, "{response:?}");
    assert_eq!(response.headers()[CONTENT_TYPE], "application/json");
    let body: Value = serde_json::from_str(response.body()).unwrap();
    assert!(body["id"] == 7 && body["result"]["tools"].is_array(), "{body}");
    let log = hosted.logged(2).await;
    assert_eq!(kinds(&log), [("a-host", "tools/list"), ("a-host", "result")]);
    assert_eq!((log[1].request.as_deref(), log[1].status, &log[1].call), (Some("7"), Some(200), &None));
    assert_eq!(log[1].length, response.body().trim().len());
    let sent = hosted.tried.session.message(log[0].n).unwrap();
    let url = sent.url.unwrap();
    assert!(url.ends_with("/mcp") && !url.contains(TOKEN), "{url}");
    assert!(sent.headers.unwrap().iter().any(|(name, value)| name == "mcp-method" && value == "tools/list"));
}

#[tokio::test]
async fn a_session_has_its_client_and_its_stream() {
    let mut hosted = Hosted::server().await;
    let (status, begun) = hosted.post(&[], &initialize()).await;
    assert_eq!(status, StatusCode::OK, "{begun:?}");
    let session = begun.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    let of_session = [("mcp-session-id", &*session), ("mcp-protocol-version", "2025-11-25")];
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let (status, accepted) = hosted.post(&of_session, &initialized).await;
    assert_eq!((status, &**accepted.body()), (StatusCode::ACCEPTED, ""));
    let get = Request::get(format!("/mcp/{TOKEN}")).header("host", &*hosted.address).header("accept", BOTH);
    let get = get.header("mcp-session-id", &*session).header("mcp-protocol-version", "2025-11-25");
    let (_connection, stream) = hosted.send(get.body(Full::default()).unwrap()).await;
    assert_eq!(
        (stream.status(), &stream.headers()[CONTENT_TYPE]),
        (StatusCode::OK, &"text/event-stream".parse().unwrap())
    );
    let log = hosted.logged(3).await;
    assert_eq!(kinds(&log), [("editor", "initialize"), ("editor", "result"), ("editor", "notifications/initialized")]);

    // Another process does not know the session, and says so itself.
    hosted.tried.target.change_code("Which seat now?");
    hosted.start_server().await;
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
    let (status, refused) = hosted.post(&of_session, &list).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "{refused:?}");
    assert_eq!(hosted.log().last().unwrap().status, Some(404));
    let (status, _) = hosted.post(&[], &initialize()).await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn a_stream_arrives_piece_by_piece_and_ends_with_its_host() {
    let mut hosted = Hosted::new(Ok(None), true).await;
    let (events, pieces) = mpsc::channel(8);
    let pieces = Arc::new(std::sync::Mutex::new(Some(pieces)));
    let router = Router::new().route(
        "/own/path",
        any(move |request: axum::extract::Request| async move {
            let seen = format!("{} {:?}", request.uri(), request.headers().get("authorization"));
            let pieces = pieces.lock().unwrap().take().unwrap();
            let body = Body::new(Received(pieces));
            Response::builder().header(CONTENT_TYPE, "text/event-stream").header("x-seen", seen).body(body).unwrap()
        }),
    );
    hosted.start_router(router).await;
    let request = Request::post(format!("/mcp/{TOKEN}?a=b")).header("host", &*hosted.address);
    let request = request.header("authorization", "Bearer t").header("content-type", "application/json");
    let call = r#"{"jsonrpc":"2.0","id":"x","method":"tools/call"}"#;
    let (connection, mut response) = hosted.send(request.body(Full::from(call)).unwrap()).await;
    assert_eq!(response.headers()["x-seen"], "/own/path?a=b Some(\"Bearer t\")");
    for (piece, logged) in
        [("data: {\"method\":\"notifications/progress\"}\n\ndata: {\"id\":\"x\",", 2), ("\"result\":{}}\n\n", 3)]
    {
        events.send(Bytes::from(piece)).await.unwrap();
        let frame = timeout(LONG, response.body_mut().frame()).await.unwrap().unwrap().unwrap();
        assert_eq!(frame.into_data().unwrap(), piece);
        hosted.logged(logged).await;
    }
    assert_eq!(
        kinds(&hosted.log()),
        [("a host", "tools/call"), ("a host", "notifications/progress"), ("a host", "result")]
    );
    assert!(!events.is_closed());
    drop((connection, response));
    timeout(LONG, events.closed()).await.expect("the process notices that the host is gone");
}

/// A body whose pieces are received.
struct Received(mpsc::Receiver<Bytes>);

impl http_body::Body for Received {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(cx).map(|piece| piece.map(|piece| Ok(Frame::data(piece))))
    }
}

#[tokio::test]
async fn a_host_that_goes_away_before_the_response_ends_the_request() {
    let mut hosted = Hosted::new(Ok(None), true).await;
    let (begun, mut begins) = mpsc::channel::<mpsc::Sender<()>>(1);
    let router = Router::new().route(
        "/own/path",
        any(move || async move {
            let (alive, mut dropped) = mpsc::channel::<()>(1);
            begun.send(alive).await.unwrap();
            dropped.recv().await;
        }),
    );
    hosted.start_router(router).await;
    let request = Request::post(format!("/mcp/{TOKEN}")).header("host", &*hosted.address).body(Full::from("{}"));
    let connection = RequestConnection::open(&hosted.address).await.unwrap();
    let alive = tokio::select! {
        _ = connection.send(request.unwrap()) => panic!("it was answered"),
        alive = begins.recv() => alive.unwrap(),
    };
    timeout(LONG, alive.closed()).await.expect("the process notices that the host is gone");
}

#[tokio::test]
async fn each_message_of_a_batch_is_logged() {
    let hosted = Hosted::new(Err("no".to_owned()), true).await;
    let batch = json!([{ "id": 1, "method": "ping" }, { "method": "notifications/initialized" }]);
    let (_, response) = hosted.post(&[], &batch).await;
    assert!(response.body().contains(r#""id":null"#), "{response:?}");
    let log = hosted.logged(3).await;
    assert_eq!(kinds(&log), [("a host", "ping"), ("a host", "notifications/initialized"), ("a host", "error")]);
}

#[tokio::test]
async fn nothing_is_forwarded_without_the_token_or_for_another_site() {
    let hosted = Hosted::server().await;
    let own = format!("http://{}", hosted.address);
    let evil = "http://evil.example";
    let right = format!("/mcp/{TOKEN}");
    for (path, name, value, status) in [
        ("/mcp", "x-a", "b", StatusCode::UNAUTHORIZED),
        ("/mcp/", "x-a", "b", StatusCode::UNAUTHORIZED),
        ("/mcp/0f0f0e", "x-a", "b", StatusCode::NOT_FOUND),
        ("/mcp/0f0f0f0", "authorization", "Bearer 0f0f0f", StatusCode::NOT_FOUND),
        (&right, "host", "evil.example", StatusCode::FORBIDDEN),
        (&right, "origin", evil, StatusCode::FORBIDDEN),
        (&right, "origin", "null", StatusCode::FORBIDDEN),
        (&right, "sec-fetch-site", "cross-site", StatusCode::FORBIDDEN),
        (&right, "origin", &own, StatusCode::OK),
    ] {
        let mut request = Request::post(path).header("content-type", "application/json").header("accept", BOTH);
        if name != "host" {
            request = request.header("host", &*hosted.address);
        }
        let request = request.header(name, value).body(Full::from(initialize().to_string())).unwrap();
        let (_connection, response) = hosted.send(request).await;
        assert_eq!(response.status(), status, "{path} {name}: {value}");
    }
    assert_eq!(hosted.logged(2).await.len(), 2, "only the last request");
}

#[tokio::test]
async fn without_a_page_only_hosts_are_served() {
    let mut hosted = Hosted::new(Ok(None), false).await;
    hosted.start_server().await;
    for path in ["/", "/api/state", "/api/messages"] {
        let request = Request::get(path).header("host", &*hosted.address).body(Full::default()).unwrap();
        assert_eq!(hosted.send(request).await.1.status(), StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(hosted.post(&[], &initialize()).await.0, StatusCode::OK);
}
