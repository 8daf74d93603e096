//! Sessions of the revisions with a handshake.

use std::time::Duration;

use axum::{
    Router,
    body::Body,
    http::{Request, StatusCode},
};
use http_body_util::BodyExt;
use mcp_runtime::Principal;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::http::wire::{Reply, app, event, request, send};

pub(crate) struct Session {
    pub(crate) app: Router,
    id: String,
    revision: &'static str,
}

impl Session {
    async fn open() -> Self {
        Self::of(app(), "2025-11-25").await
    }

    pub(crate) async fn of(app: Router, revision: &'static str) -> Self {
        let body = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": revision,
            "capabilities": { "elicitation": {} },
            "clientInfo": { "name": "c", "version": "1" },
        }});
        let reply = send(&app, request("POST", &[], &body.to_string())).await;
        assert_eq!((reply.status, &reply.json()["result"]["protocolVersion"]), (StatusCode::OK, &json!(revision)));
        let id = reply.headers["mcp-session-id"].to_str().unwrap().to_owned();
        let session = Self { app, id, revision };
        let reply = session.post(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        assert_eq!((reply.status, &*reply.text), (StatusCode::ACCEPTED, ""));
        session
    }

    pub(crate) fn headers(&self) -> [(&str, &str); 2] {
        [("mcp-session-id", &self.id), ("mcp-protocol-version", self.revision)]
    }

    pub(crate) async fn post(&self, message: &Value) -> Reply {
        self.post_with(&[], message).await
    }

    pub(crate) async fn post_with(&self, headers: &[(&str, &str)], message: &Value) -> Reply {
        let headers = [&self.headers()[..], headers].concat();
        send(&self.app, request("POST", &headers, &message.to_string())).await
    }

    pub(crate) fn call(id: u64, name: &str, arguments: &Value) -> Value {
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": name, "arguments": arguments } })
    }
}

#[tokio::test]
async fn calls_belong_to_their_session() {
    let session = Session::open().await;
    let reply = session.post(&Session::call(1, "add", &json!({ "a": 1, "b": 2 }))).await;
    assert_eq!(reply.json()["result"]["content"][0]["text"], "3");
    let call = Session::call(2, "add", &json!({ "a": 1, "b": 2 })).to_string();
    let without = send(&session.app, request("POST", &[], &call)).await;
    assert_eq!((without.status, &without.json()["error"]["code"]), (StatusCode::BAD_REQUEST, &json!(-32602)));
    let unknown = send(&session.app, request("POST", &[("mcp-session-id", "x")], &call)).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    let headers = [("mcp-session-id", &*session.id), ("mcp-protocol-version", "1999-01-01")];
    assert_eq!(send(&session.app, request("POST", &headers, &call)).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn an_error_does_not_open_a_session() {
    let session = Session::open().await;
    let unknown = session.post(&json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/list" })).await;
    assert_eq!((unknown.status, &unknown.json()["error"]["code"]), (StatusCode::OK, &json!(-32601)));
    let broken = session.post(&json!({ "jsonrpc": "2.0", "id": 1 })).await;
    assert_eq!((broken.status, &broken.json()["error"]["code"]), (StatusCode::BAD_REQUEST, &json!(-32600)));
}

#[tokio::test]
async fn a_question_comes_on_the_stream_of_its_call() {
    let session = Session::open().await;
    let call = Session::call(1, "book", &json!({})).to_string();
    let response = session.app.clone().oneshot(request("POST", &session.headers(), &call)).await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut stream = response.into_body();
    let mut next = async || {
        let frame = stream.frame().await?.unwrap().into_data().unwrap();
        event(str::from_utf8(&frame).unwrap())
    };
    assert_eq!(next().await, None, "the first event is one of no message");
    let question = next().await.unwrap();
    assert_eq!(
        (&question["method"], &question["params"]["message"]),
        (&json!("elicitation/create"), &json!("Which seat?"))
    );
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": {
        "action": "accept", "content": { "seat": "12A" },
    }});
    assert_eq!(session.post(&answer).await.status, StatusCode::ACCEPTED);
    assert_eq!(next().await.unwrap()["result"]["content"][0]["text"], "booked 12A");
    assert!(next().await.is_none());
}

#[tokio::test]
async fn delete_ends_a_session() {
    let session = Session::open().await;
    let delete = || request("DELETE", &[("mcp-session-id", &session.id)], "");
    assert_eq!(send(&session.app, delete()).await.status, StatusCode::NO_CONTENT);
    assert_eq!(send(&session.app, delete()).await.status, StatusCode::NOT_FOUND);
    let reply = session.post(&Session::call(1, "add", &json!({ "a": 1, "b": 2 }))).await;
    assert_eq!(reply.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn only_its_principal_can_use_a_session() {
    let as_principal = |mut request: Request<Body>, name: &str| {
        request.extensions_mut().insert(Principal::new(name));
        request
    };
    let app = app();
    let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" },
    }});
    let opened = send(&app, as_principal(request("POST", &[], &hello.to_string()), "ann")).await;
    let id = opened.headers["mcp-session-id"].to_str().unwrap();
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
    let ping = || request("POST", &[("mcp-session-id", id)], &ping);
    assert_eq!(send(&app, as_principal(ping(), "ann")).await.status, StatusCode::OK);
    assert_eq!(send(&app, as_principal(ping(), "bob")).await.status, StatusCode::NOT_FOUND);
    assert_eq!(send(&app, ping()).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test(start_paused = true)]
async fn an_idle_session_expires_after_half_an_hour() {
    let session = Session::open().await;
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    tokio::time::sleep(Duration::from_secs(29 * 60)).await;
    assert_eq!(session.post(&ping).await.status, StatusCode::OK);
    tokio::time::sleep(Duration::from_secs(30 * 60)).await;
    assert_eq!(session.post(&ping).await.status, StatusCode::NOT_FOUND);
}
