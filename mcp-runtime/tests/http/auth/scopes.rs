//! Scopes of tools, in both eras, with tokens and with a middleware that sets the principal.

use axum::{Router, http::StatusCode};
use mcp_runtime::{Principal, Server, prelude::*};
use serde_json::{Value, json};

use super::{alone, app, authorization, call, challenge, guarded, server, with_token};
use crate::http::wire::{request, send};

const NEEDED: &str = r#"error="insufficient_scope", error_description="the token does not grant what the tool needs""#;
const METADATA: &str = r#"resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp""#;

fn hello(revision: &str) -> String {
    let params = json!({
        "protocolVersion": revision,
        "capabilities": { "elicitation": {} },
        "clientInfo": { "name": "c", "version": "1" },
    });
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }).to_string()
}

async fn session(app: &Router, token: &str, revision: &str) -> String {
    let reply = send(app, with_token(token, request("POST", &[], &hello(revision)))).await;
    assert_eq!(reply.status, StatusCode::OK);
    reply.headers["mcp-session-id"].to_str().unwrap().to_owned()
}

fn tool_call(id: u64, name: &str, arguments: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": name, "arguments": arguments } })
}

#[tokio::test]
async fn tools_see_the_principal_and_its_scopes() {
    let app = app();
    for (token, seen) in [
        ("ann-nothing", "ann  ann@example.com"),
        ("ann-write", "ann flights:write,flights:read ann@example.com"),
        ("root", "root flights:admin,flights:write,flights:read root@example.com"),
    ] {
        let reply = call(&app, token, "whoami").await;
        assert_eq!(reply.json()["result"]["content"][0]["text"], seen);
    }
}

#[tokio::test]
async fn a_call_needs_the_scopes_of_its_tool() {
    let app = app();
    let reply = call(&app, "ann-nothing", "look").await;
    assert_eq!(reply.status, StatusCode::FORBIDDEN);
    assert_eq!(challenge(&reply), format!(r#"Bearer {NEEDED}, scope="flights:read", {METADATA}"#));
    let error = json!({
        "jsonrpc": "2.0",
        "id": 7,
        "error": {
            "code": -32600,
            "message": "The tool `look` needs `flights:read`, which its caller was not granted",
            "data": { "requiredScopes": ["flights:read"] },
        },
    });
    assert_eq!(reply.json(), error);
    for token in ["ann-read", "ann-write", "root"] {
        let reply = call(&app, token, "look").await;
        assert_eq!(
            (reply.status, &reply.headers["content-type"]),
            (StatusCode::OK, &"text/event-stream".parse().unwrap())
        );
    }
}

#[tokio::test]
async fn a_challenge_names_all_scopes_of_the_call() {
    let app = guarded(authorization().scopes(["flights:read"]));
    let reply = call(&app, "ann-read", "reserve").await;
    assert_eq!(challenge(&reply), format!(r#"Bearer {NEEDED}, scope="flights:read flights:write", {METADATA}"#));
    let reply = call(&app, "ann-write", "cancel").await;
    assert_eq!(challenge(&reply), format!(r#"Bearer {NEEDED}, scope="flights:read flights:admin", {METADATA}"#));
    let cancel = json!({ "name": "cancel", "arguments": { "flight": "TP1" } });
    let reply = send(&app, with_token("root", alone("tools/call", cancel))).await;
    assert_eq!(reply.json()["result"]["content"][0]["text"], "TP1 is cancelled");
}

#[tokio::test]
async fn a_call_in_a_session_needs_the_scopes_of_its_tool() {
    let app = app();
    let id = session(&app, "ann-nothing", "2025-06-18").await;
    let headers = [("mcp-session-id", &*id), ("mcp-protocol-version", "2025-06-18")];
    let look = tool_call(4, "look", &json!({})).to_string();
    let reply = send(&app, with_token("ann-nothing", request("POST", &headers, &look))).await;
    assert_eq!(reply.status, StatusCode::FORBIDDEN);
    assert_eq!(challenge(&reply), format!(r#"Bearer {NEEDED}, scope="flights:read", {METADATA}"#));
    assert_eq!(reply.json()["id"], 4);
    // Another token of the same principal, in the same session.
    let reply = send(&app, with_token("ann-read", request("POST", &headers, &look))).await;
    assert_eq!(reply.status, StatusCode::OK);
    assert_eq!(reply.events().last().unwrap()["result"]["content"][0]["text"], "nothing");
}

#[tokio::test]
async fn each_call_of_a_batch_needs_the_scopes_of_its_tool() {
    let app = app();
    let id = session(&app, "ann-nothing", "2025-03-26").await;
    let batch = json!([tool_call(1, "whoami", &json!({})), tool_call(2, "look", &json!({}))]).to_string();
    let reply = send(&app, with_token("ann-nothing", request("POST", &[("mcp-session-id", &id)], &batch))).await;
    let reply = reply.json();
    let codes: Vec<_> = reply.as_array().unwrap().iter().map(|reply| &reply["error"]["code"]).collect();
    assert_eq!(codes, [&Value::Null, &json!(-32600)]);
}

#[tokio::test]
async fn a_session_belongs_to_the_principal_that_opened_it() {
    let app = app();
    let id = session(&app, "ann-read", "2025-11-25").await;
    let headers = [("mcp-session-id", &*id), ("mcp-protocol-version", "2025-11-25")];
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
    for (method, body) in [("POST", &*ping), ("GET", ""), ("DELETE", "")] {
        let reply = send(&app, with_token("bob-write", request(method, &headers, body))).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND, "{method}");
        let reply = send(&app, request(method, &headers, body)).await;
        assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "{method}");
    }
    assert_eq!(send(&app, with_token("ann-write", request("POST", &headers, &ping))).await.status, StatusCode::OK);
    let delete = with_token("ann-read", request("DELETE", &headers, ""));
    assert_eq!(send(&app, delete).await.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn rejects_calls_of_tools_with_scopes_without_authorization() {
    let app = Router::new().nest("/mcp", server().build().unwrap().router());
    let look = || alone("tools/call", json!({ "name": "look", "arguments": {} }));
    // A token is worth nothing without a verifier.
    for request in [look(), with_token("ann-read", look())] {
        let reply = send(&app, request).await;
        assert_eq!(reply.status, StatusCode::FORBIDDEN);
        assert_eq!(challenge(&reply), format!(r#"Bearer {NEEDED}, scope="flights:read""#));
        let told = reply.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(told.contains("its caller is unknown"), "{told}");
    }
    let whoami = alone("tools/call", json!({ "name": "whoami", "arguments": {} }));
    assert_eq!(send(&app, whoami).await.json()["result"]["content"][0]["text"], "nobody");

    let reply = send(&app, request("POST", &[], &hello("2025-11-25"))).await;
    let id = reply.headers["mcp-session-id"].to_str().unwrap();
    let headers = [("mcp-session-id", id), ("mcp-protocol-version", "2025-11-25")];
    let reply = send(&app, request("POST", &headers, &tool_call(1, "look", &json!({})).to_string())).await;
    assert_eq!(reply.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_middleware_can_set_the_principal_and_its_scopes() {
    let app = Router::new().nest("/mcp", server().build().unwrap().router());
    for (scopes, status) in [(&[][..], StatusCode::FORBIDDEN), (&["flights:read"], StatusCode::OK)] {
        let mut look = alone("tools/call", json!({ "name": "look", "arguments": {} }));
        look.extensions_mut().insert(Principal::new("ann").scopes(scopes));
        assert_eq!(send(&app, look).await.status, status);
    }
    // With authorization, the token decides.
    let mut look = alone("tools/call", json!({ "name": "look", "arguments": {} }));
    look.extensions_mut().insert(Principal::new("ann").scopes(["flights:read"]));
    assert_eq!(send(&super::app(), look).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn grants_everything_in_memory_without_a_principal() {
    let service = server().build().unwrap();
    let look = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {
        "name": "look",
        "arguments": {},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    }})
    .to_string();
    for (mut client, may) in [
        (service.memory(), true),
        (service.memory_as("ann"), false),
        (service.memory_as(Principal::new("ann").scopes(["flights:read"])), true),
    ] {
        client.send(&look).await;
        let reply: Value = serde_json::from_str(&client.receive().await.unwrap()).unwrap();
        assert_eq!(reply.get("error").is_none(), may, "{reply}");
    }
}

#[test]
fn the_manifest_lists_the_scopes() {
    let manifest = server().build().unwrap().manifest();
    let scopes: Vec<_> = manifest["tools"].as_array().unwrap().iter().map(|tool| &tool["scopes"]).collect();
    let expected =
        [Value::Null, json!(["flights:read"]), json!(["flights:read", "flights:write"]), json!(["flights:admin"])];
    assert_eq!(scopes, expected.iter().collect::<Vec<_>>());
}

/// The fares.
#[mcp_resource("flights://fares", scopes("flights:write"))]
async fn fares() -> &'static str {
    "cheap"
}

#[tokio::test]
async fn a_subscription_needs_the_scopes_of_its_resource() {
    let server = Server::new("flights", "1").dynamic_resources().resources(resources![fares]);
    let app = server.authorization(authorization()).build().unwrap().mount("/mcp");
    let message = "The resource `fares` needs `flights:write`, which its caller was not granted";

    let id = session(&app, "ann-read", "2025-11-25").await;
    let in_session = |token, method| {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": { "uri": "flights://fares" } });
        let headers = [("mcp-session-id", &*id), ("mcp-protocol-version", "2025-11-25")];
        with_token(token, request("POST", &headers, &message.to_string()))
    };
    let refused = send(&app, in_session("ann-read", "resources/subscribe")).await;
    assert_eq!((refused.status, &refused.json()["error"]["message"]), (StatusCode::FORBIDDEN, &json!(message)));
    let accepted = send(&app, in_session("ann-write", "resources/subscribe")).await;
    assert_eq!(accepted.json()["result"], json!({}));

    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "subscriptions/listen")];
    let listen = json!({ "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {
        "notifications": { "resourceSubscriptions": ["flights://other", "flights://fares"] },
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    }});
    let refused = send(&app, with_token("ann-read", request("POST", &headers, &listen.to_string()))).await;
    assert_eq!((refused.status, &refused.json()["error"]["message"]), (StatusCode::FORBIDDEN, &json!(message)));
    assert!(challenge(&refused).contains(r#"scope="flights:write""#), "{}", challenge(&refused));
}
