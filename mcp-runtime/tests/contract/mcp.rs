//! The tools of a contract for MCP clients over HTTP, message by message, in both eras.

use axum::{
    Router,
    body::{Body, Bytes},
    http::{HeaderMap, Request},
};
use http_body_util::BodyExt as _;
use mcp_runtime::Server;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::contract::notes::{NoteError, contract};

struct Reply {
    status: u16,
    headers: HeaderMap,
    body: String,
}

impl Reply {
    /// Returns the message in the body, which is JSON or one event.
    fn json(&self) -> Value {
        let text = self.body.lines().rev().find_map(|line| line.strip_prefix("data: ")).unwrap_or(&self.body);
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

fn app() -> Router {
    app_with(|server| server)
}

fn app_with(change: impl FnOnce(Server) -> Server) -> Router {
    change(Server::new("notes", "2.1.0").contract(&contract())).build().unwrap().mount("/mcp")
}

async fn send(app: &Router, verb: &str, headers: &[(&str, &str)], body: String) -> Reply {
    let request = Request::builder().method(verb).uri("/mcp").header("host", "localhost");
    let request = request.header("content-type", "application/json");
    let request = request.header("accept", "application/json, text/event-stream");
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let (parts, body) = app.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap().into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    Reply { status: parts.status.as_u16(), headers: parts.headers, body: String::from_utf8(body.to_vec()).unwrap() }
}

/// Sends a request of 2026-07-28, which is complete in itself.
async fn modern(app: &Router, method: &str, params: Value) -> Reply {
    let mut params = params;
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let name = params["name"].as_str().unwrap_or_default().to_owned();
    let mut headers = vec![("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)];
    if !name.is_empty() {
        headers.push(("mcp-name", &name));
    }
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    send(app, "POST", &headers, body.to_string()).await
}

/// Opens a session of 2025-11-25, and returns its id and the reply.
async fn initialized(app: &Router) -> (String, Value) {
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" },
    });
    let body = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
    let reply = send(app, "POST", &[], body.to_string()).await;
    let session = reply.headers["mcp-session-id"].to_str().unwrap().to_owned();
    let body = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let noted = send(app, "POST", &[("mcp-session-id", &session)], body.to_string()).await;
    assert_eq!(noted.status, 202);
    (session, reply.json())
}

/// Calls a tool in a session, or with a request of 2026-07-28.
async fn call(app: &Router, session: Option<&str>, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    let reply = match session {
        None => modern(app, "tools/call", params).await,
        Some(session) => {
            let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
            send(app, "POST", &[("mcp-session-id", session)], body.to_string()).await
        }
    };
    assert_eq!(reply.status, 200, "{}", reply.body);
    reply.json()["result"].clone()
}

#[tokio::test]
async fn other_verbs_get_the_list_of_verbs() {
    for verb in ["PUT", "PATCH", "GET", "DELETE"] {
        let refused = send(&app(), verb, &[], String::new()).await;
        assert_eq!(refused.status, 405, "{verb}");
        assert!(refused.headers["allow"].to_str().unwrap().contains("POST"));
    }
}

#[tokio::test]
async fn tool_naming_joins_resource_and_method_in_tools_list() {
    let app = app();
    let listed = modern(&app, "tools/list", json!({})).await.json();
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"notes_by_title") && names.contains(&"server_status_get"), "{names:?}");
    let create = tools.iter().find(|tool| tool["name"] == "notes_create").unwrap();
    assert_eq!(create["inputSchema"]["properties"]["tags"]["items"]["type"], "string");
    assert_eq!(create["inputSchema"]["required"], json!(["title"]));
    let (session, _) = initialized(&app).await;
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let legacy = send(&app, "POST", &[("mcp-session-id", &session)], body.to_string()).await.json();
    assert_eq!(legacy["result"]["tools"].as_array().unwrap().len(), tools.len());
}

#[tokio::test]
async fn tools_call_creates_reads_updates_and_deletes_in_both_eras() {
    let app = app();
    let (session, _) = initialized(&app).await;
    for (index, session) in [None, Some(&*session)].into_iter().enumerate() {
        let title = format!("milk {index}");
        let created = call(&app, session, "notes_create", json!({ "title": title })).await;
        let note = if session.is_none() { created["structuredContent"].clone() } else { text(&created) };
        assert_eq!(note["title"], *title, "{created}");
        let id = note["id"].as_u64().unwrap();
        assert_eq!(text(&call(&app, session, "notes_get", json!({ "id": id })).await), note);
        let updated = call(&app, session, "notes_update", json!({ "id": id, "title": "tea" })).await;
        assert_eq!(text(&updated)["title"], "tea");
        let deleted = call(&app, session, "notes_delete", json!({ "id": id })).await;
        assert_eq!((text(&deleted), &deleted["isError"]), (Value::Null, &Value::Null), "no output is `null`");
        let missing = call(&app, session, "notes_get", json!({ "id": id })).await;
        assert_eq!(
            (&missing["isError"], &missing["content"][0]["text"]),
            (&json!(true), &json!(format!("there is no note {id}")))
        );
        assert_eq!(text(&call(&app, session, "server_status_get", json!({})).await), "fine", "no input");
    }
}

fn text(result: &Value) -> Value {
    serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap()
}

#[tokio::test]
async fn error_mapper_sees_the_typed_error() {
    let app = app_with(|server| {
        server.error_mapper(|error| (true, format!("mapped: {}", error.downcast_ref::<NoteError>().is_some())))
    });
    assert_eq!(call(&app, None, "notes_get", json!({ "id": 5 })).await["content"][0]["text"], "mapped: true");
}

#[tokio::test]
async fn parse_error_has_its_code() {
    let app = app();
    for text in ["{", "", "{} {}"] {
        let refused = send(&app, "POST", &[], text.to_owned()).await;
        assert_eq!((refused.status, &refused.json()["error"]["code"]), (400, &json!(-32700)), "{text}");
    }
    still_works(&app).await;
}

#[tokio::test]
async fn invalid_request_has_its_code() {
    let app = app();
    for text in ["{}", "1", r#"{"jsonrpc":"1.0","id":1,"method":"tools/list"}"#] {
        let refused = send(&app, "POST", &[], text.to_owned()).await;
        assert_eq!((refused.status, &refused.json()["error"]["code"]), (400, &json!(-32600)), "{text}");
    }
    still_works(&app).await;
}

#[tokio::test]
async fn method_not_found_has_its_code() {
    let app = app();
    let unknown = modern(&app, "tools/nothing", json!({})).await;
    assert_eq!((unknown.status, &unknown.json()["error"]["code"]), (404, &json!(-32601)));
    still_works(&app).await;
}

#[tokio::test]
async fn invalid_params_name_an_unknown_tool() {
    let app = app();
    let unknown = modern(&app, "tools/call", json!({ "name": "notes.get", "arguments": {} })).await.json();
    assert_eq!(unknown["error"]["code"], -32602);
    assert!(unknown["error"]["message"].as_str().unwrap().contains("notes.get"), "{unknown}");
    still_works(&app).await;
}

#[tokio::test]
async fn call_error_names_the_mistake_to_the_model() {
    let app = app();
    let input = call(&app, None, "notes_get", json!({ "id": "x" })).await;
    assert_eq!(input["isError"], true);
    let text = input["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("invalid arguments for `notes_get`:\n"), "{text}");
    let failed = call(&app, None, "server_status_fail", json!({})).await;
    let text = &failed["content"][0]["text"];
    assert_eq!((&failed["isError"], text), (&json!(true), &json!("the disk is full")));
    still_works(&app).await;
}

#[tokio::test]
async fn a_wrong_content_type_is_refused() {
    let app = app();
    let request = Request::post("/mcp").header("host", "localhost").header("content-type", "text/plain");
    let request = request.header("accept", "application/json, text/event-stream").body(Body::from("{}")).unwrap();
    assert_eq!(app.clone().oneshot(request).await.unwrap().status(), 415);
    still_works(&app).await;
}

#[tokio::test]
async fn a_truncated_body_is_refused() {
    let app = app();
    let pieces = [Ok(Bytes::from_static(b"{")), Err(std::io::Error::other("the client left"))];
    let request = Request::post("/mcp").header("host", "localhost").header("content-type", "application/json");
    let request = request.header("accept", "application/json, text/event-stream");
    let request = request.body(Body::new(crate::contract::pieces::Pieces::from(pieces))).unwrap();
    assert_eq!(app.clone().oneshot(request).await.unwrap().status(), 400);
    still_works(&app).await;
}

async fn still_works(app: &Router) {
    assert_eq!(modern(app, "tools/list", json!({})).await.status, 200, "the next request works");
}
