//! `initialize`, and the revision of a request.

use axum::http::StatusCode;
use mcp_runtime::{Server, prelude::*};
use serde_json::{Value, json};

use crate::http::wire::{add, app, request, send};

/// Says what the client is called and whether it shows forms.
#[mcp_tool(read_only)]
async fn client(ctx: &Ctx) -> String {
    format!("{:?} {}", ctx.client().name(), ctx.client().can_elicit())
}

fn initialize(params: &Value) -> String {
    let mut message = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
    if params.is_null() {
        message.as_object_mut().unwrap().remove("params");
    }
    message.to_string()
}

#[tokio::test]
async fn a_failed_handshake_opens_no_session() {
    let info = json!({ "name": "c", "version": "1" });
    for params in [
        Value::Null,
        json!({}),
        json!([]),
        json!({ "protocolVersion": 5, "capabilities": {}, "clientInfo": info }),
        json!({ "protocolVersion": null, "capabilities": {}, "clientInfo": info }),
        json!({ "protocolVersion": "2025-11-25", "capabilities": 7, "clientInfo": info }),
        json!({ "protocolVersion": "2025-11-25", "capabilities": { "roots": "yes" }, "clientInfo": info }),
    ] {
        let reply = send(&app(), request("POST", &[], &initialize(&params))).await;
        assert!(reply.json()["error"]["code"].is_i64() && !reply.headers.contains_key("mcp-session-id"), "{params}");
    }
}

#[tokio::test]
async fn reads_what_sloppy_clients_declare() {
    let service = Server::new("s", "1").tools(tools![client]).build().unwrap();
    for (capabilities, info, expected) in [
        (json!(null), json!({ "name": "c", "version": 5 }), r#"Some("c") false"#),
        (json!([]), json!({ "name": "c" }), r#"Some("c") false"#),
        (json!({ "elicitation": true }), json!({ "name": "c", "version": null }), r#"Some("c") true"#),
        (json!({ "elicitation": false, "sampling": null }), json!(null), "None false"),
        (json!({ "elicitation": [] }), json!("c"), "None true"),
    ] {
        let app = service.mount("/mcp");
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": info });
        let reply = send(&app, request("POST", &[], &initialize(&params))).await;
        assert_eq!(reply.json()["result"]["protocolVersion"], "2025-11-25", "{}", reply.text);
        let headers = [("mcp-session-id", reply.headers["mcp-session-id"].to_str().unwrap())];
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "client" } });
        let reply = send(&app, request("POST", &headers, &call.to_string())).await.json();
        assert_eq!(reply["result"]["content"][0]["text"], expected, "{params}");

        // Since 2026-07-28, every request needs an object.
        if !capabilities.is_object() {
            continue;
        }
        let mut call = call;
        call["params"]["requestState"] = json!(null);
        call["params"]["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": capabilities,
            "io.modelcontextprotocol/clientInfo": info,
            "io.modelcontextprotocol/logLevel": null,
        });
        let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "client")];
        let reply = send(&app, request("POST", &headers, &call.to_string())).await.json();
        assert_eq!(reply["result"]["content"][0]["text"], expected, "{call}");
    }
}

fn call_of_newest_revision() -> String {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "name": "add", "arguments": { "a": 1, "b": 2 }, "_meta": meta });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string()
}

#[tokio::test]
async fn a_header_of_an_older_revision_than_the_body_is_rejected() {
    let call = call_of_newest_revision();
    for others in [&[][..], &[("mcp-method", "tools/call"), ("mcp-name", "add")]] {
        let headers = [&[("mcp-protocol-version", "2025-11-25")], others].concat();
        let reply = send(&app(), request("POST", &headers, &call)).await;
        assert_eq!((reply.status, &reply.json()["error"]["code"]), (StatusCode::BAD_REQUEST, &json!(-32020)));
    }
}

#[tokio::test]
async fn a_setting_serves_such_a_request_by_the_revision_of_its_body() {
    let server = Server::new("s", "1").tools(tools![add]).revision_of_body(true);
    let app = server.build().unwrap().mount("/mcp");
    let call = call_of_newest_revision();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        for others in [&[][..], &[("mcp-method", "tools/call")], &[("mcp-name", "add")], &[("mcp-session-id", "x")]] {
            let headers = [&[("mcp-protocol-version", version)], others].concat();
            let reply = send(&app, request("POST", &headers, &call)).await;
            assert_eq!(reply.json()["result"]["resultType"], "complete", "{headers:?}: {}", reply.text);
            assert!(!reply.headers.contains_key("mcp-session-id"));
        }
    }
    // Headers that are sent still match the body, so that no proxy takes the request for another one.
    for (version, others) in [
        ("2025-11-25", &[("mcp-method", "tools/list")][..]),
        ("2025-11-25", &[("mcp-name", "other")]),
        ("2026-07-28", &[]),
        ("2026-07-29", &[]),
        ("", &[]),
    ] {
        let headers = [&[("mcp-protocol-version", version)], others].concat();
        let reply = send(&app, request("POST", &headers, &call)).await;
        assert_eq!(reply.json()["error"]["code"], -32020, "{headers:?}");
    }
    assert_eq!(send(&app, request("POST", &[], &call)).await.json()["error"]["code"], -32020);
}
