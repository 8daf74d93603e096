//! The form of a reply and of a body: what the client accepts, how a body is encoded, and where the endpoint is.

use axum::{
    Router,
    http::{Request, StatusCode},
};
use mcp_runtime::{Server, tools};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::http::{
    session::Session,
    wire::{Reply, add, app, book, request, send, speak},
};

const JSON: (&str, &str) = ("accept", "application/json");

fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        "io.modelcontextprotocol/logLevel": "debug",
        "progressToken": 1,
    })
}

/// Posts a request of the newest revision with these headers.
async fn post_modern(app: &Router, headers: &[(&str, &str)], method: &str, mut params: Value) -> Reply {
    params["_meta"] = meta();
    let name = params["name"].as_str().unwrap_or_default().to_owned();
    let mut all = vec![("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)];
    all.extend((!name.is_empty()).then_some(("mcp-name", &*name)));
    all.extend(headers);
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    send(app, request("POST", &all, &body.to_string())).await
}

async fn call_modern(app: &Router, headers: &[(&str, &str)], tool: &str) -> Reply {
    post_modern(app, headers, "tools/call", json!({ "name": tool, "arguments": {} })).await
}

#[tokio::test]
async fn a_client_that_refuses_event_streams_gets_json_without_notices() {
    let app = app();
    for accept in ["application/json", "application/json, text/event-stream;q=0", "*/*, text/event-stream; q=0.0"] {
        let reply = call_modern(&app, &[("accept", accept)], "speak").await;
        assert_eq!((reply.status, &reply.json()["result"]["content"][0]["text"]), (StatusCode::OK, &json!("done")));
        let asked = call_modern(&app, &[("accept", accept)], "book").await.json();
        assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    }
    for accept in ["application/json, text/event-stream", "*/*", "text/html"] {
        assert_eq!(call_modern(&app, &[("accept", accept)], "speak").await.events().len(), 3, "{accept}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_json_reply_waits_for_the_end_of_the_call() {
    let app = app();
    let reply = tokio::time::timeout(std::time::Duration::from_secs(3600), call_modern(&app, &[JSON], "wait")).await;
    assert_eq!(reply.unwrap().json()["result"]["isError"], json!(null));
    let session = Session::of(app, "2025-11-25").await;
    let reply = session.post_with(&[JSON], &Session::call(1, "wait", &json!({}))).await;
    assert_eq!((reply.status, &reply.json()["id"]), (StatusCode::OK, &json!(1)));
}

#[tokio::test]
async fn a_session_cannot_ask_a_client_that_refuses_event_streams() {
    let session = Session::of(app(), "2025-11-25").await;
    let spoken = session.post_with(&[JSON], &Session::call(1, "speak", &json!({}))).await;
    assert_eq!(spoken.json()["result"]["content"][0]["text"], "done");
    let result = session.post_with(&[JSON], &Session::call(2, "book", &json!({}))).await.json();
    let text = result["result"]["content"][0]["text"].as_str().unwrap();
    assert!(result["result"]["isError"] == true && text.contains("this request is answered with JSON only"), "{text}");
    let names = |reply: &Value| {
        let tools = reply["result"]["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let list = json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/list" });
    assert_eq!(names(&session.post_with(&[JSON], &list).await.json()), ["add", "speak", "wait"]);
    assert_eq!(names(&session.post(&list).await.json()), ["add", "speak", "book", "wait"]);
    // The other requests of the session still get streams.
    assert_eq!(session.post(&Session::call(4, "speak", &json!({}))).await.events().len(), 2);
}

#[tokio::test]
async fn get_needs_a_client_that_accepts_event_streams() {
    let session = Session::of(app(), "2025-11-25").await;
    for accept in ["text/event-stream;q=0", "application/json", "*/*, text/event-stream;q=0"] {
        let headers = [&session.headers()[..], &[("accept", accept)]].concat();
        let reply = send(&session.app, request("GET", &headers, "")).await;
        assert_eq!(reply.status, StatusCode::NOT_ACCEPTABLE, "{accept}");
    }
}

#[tokio::test]
async fn a_subscription_needs_a_client_that_accepts_event_streams() {
    let service = Server::new("s", "1").tools(tools![add]).dynamic_tools().build().unwrap();
    let listen = json!({ "notifications": { "toolsListChanged": true } });
    let reply = post_modern(&service.mount("/mcp"), &[JSON], "subscriptions/listen", listen).await;
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (StatusCode::NOT_ACCEPTABLE, &json!(-32600)));
    assert_eq!(reply.json()["id"], 1);
}

#[tokio::test]
async fn with_json_replies_every_post_is_answered_with_json() {
    let server = Server::new("s", "1").tools(tools![add, speak, book]).dynamic_tools().json_replies(true);
    let app = server.build().unwrap().mount("/mcp");
    let both = [("accept", "application/json, text/event-stream")];
    assert_eq!(call_modern(&app, &both, "speak").await.json()["result"]["content"][0]["text"], "done");
    assert_eq!(call_modern(&app, &both, "book").await.json()["result"]["resultType"], "input_required");
    let discovered = post_modern(&app, &both, "server/discover", json!({})).await.json();
    assert_eq!(discovered["result"]["capabilities"]["tools"], json!({}));
    let listen = post_modern(&app, &both, "subscriptions/listen", json!({ "notifications": {} })).await;
    assert_eq!((listen.status, &listen.json()["error"]["code"]), (StatusCode::NOT_FOUND, &json!(-32601)));

    let session = Session::of(app, "2025-11-25").await;
    assert_eq!(session.post(&Session::call(1, "speak", &json!({}))).await.json()["id"], 1);
    assert_eq!(session.post(&Session::call(2, "book", &json!({}))).await.json()["result"]["isError"], true);
    // Notices about changes have a stream of their own.
    let headers = [&session.headers()[..], &[("accept", "text/event-stream")]].concat();
    let stream = session.app.clone().oneshot(request("GET", &headers, "")).await.unwrap();
    assert_eq!(stream.headers()["content-type"], "text/event-stream");
}

#[tokio::test]
async fn skips_a_byte_order_mark() {
    let body = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" },
    }});
    let reply = send(&app(), request("POST", &[], &format!("\u{feff}{body}"))).await;
    assert_eq!((reply.status, reply.headers.contains_key("mcp-session-id")), (StatusCode::OK, true), "{}", reply.text);
    let twice = send(&app(), request("POST", &[], &format!("\u{feff}\u{feff}{body}"))).await;
    assert_eq!(twice.json()["error"]["code"], -32700);
}

#[tokio::test]
async fn a_compressed_body_gets_415_and_the_reason() {
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for encoding in ["gzip", "GZIP", "br", "identity, gzip", "zstd"] {
        let reply = send(&app(), request("POST", &[("content-encoding", encoding)], ping)).await;
        assert_eq!(reply.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{encoding}");
        assert_eq!(reply.headers["accept-encoding"], "identity");
        let message = reply.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.contains(&format!("`{encoding}`")), "{message}");
    }
    for encoding in ["identity", "Identity", ""] {
        assert_eq!(send(&app(), request("POST", &[("content-encoding", encoding)], ping)).await.status, StatusCode::OK);
    }
    let plain = Request::builder().method("POST").uri("/mcp").header("host", "localhost");
    let reply = send(&app(), plain.header("content-type", "text/plain").body(ping.to_owned().into()).unwrap()).await;
    assert_eq!(reply.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert!(reply.text.contains("send `Content-Type: application/json`"), "{}", reply.text);
}

#[tokio::test]
async fn a_slash_at_the_end_of_the_path_makes_no_difference() {
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for mounted in ["/mcp", "/mcp/"] {
        let app = crate::http::wire::service().mount(mounted);
        for path in ["/mcp", "/mcp/"] {
            let mut sent = request("POST", &[], ping);
            *sent.uri_mut() = path.parse().unwrap();
            assert_eq!(send(&app, sent).await.status, StatusCode::OK, "{mounted}: {path}");
        }
        for path in ["/mcp//", "/mcp/x", "/mcpx"] {
            let mut sent = request("POST", &[], ping);
            *sent.uri_mut() = path.parse().unwrap();
            assert_eq!(send(&app, sent).await.status, StatusCode::NOT_FOUND, "{mounted}: {path}");
        }
    }
    let _ = crate::http::wire::service().mount("/");
    let _ = crate::http::wire::service().mount("/{*rest}");
}
