//! Spans of requests and calls.

use std::time::Duration;

use mcp_runtime::{Server, prelude::*, store::MemoryLedger, telemetry::client_layer};
use serde_json::json;
use tracing_subscriber::{Layer, filter::LevelFilter, prelude::*};

use crate::support::log::set_default;
use crate::watching::{
    recorder::{Fields, Seen},
    tools::{accept, answer, ask, call, hello, legacy, modern, post, post_call, service},
};

/// Asserts these fields with these values.
#[track_caller]
fn assert_fields(fields: &Fields, expected: &[(&str, &str)]) {
    for (name, value) in expected {
        assert_eq!(fields.get(name).map(String::as_str), Some(*value), "`{name}` in {fields:?}");
    }
}

#[tokio::test]
async fn a_request_and_its_call_have_a_span_each() {
    let seen = Seen::default();
    let _guard = set_default(tracing_subscriber::registry().with(seen.clone()));
    ask(&mut service().memory(), &call("echo", json!({ "text": "x" }))).await;

    let request = seen.spans("mcp.request").pop().unwrap();
    assert_eq!((request.within, request.closed), (None, true));
    assert_fields(
        &request.fields,
        &[
            ("otel.name", "tools/call"),
            ("otel.kind", "server"),
            ("mcp.method.name", "tools/call"),
            ("jsonrpc.request.id", "1"),
            ("mcp.protocol.version", "2026-07-28"),
            ("era", "modern"),
            ("network.transport", "pipe"),
            ("gen_ai.tool.name", "echo"),
            ("gen_ai.operation.name", "execute_tool"),
            ("outcome", "done"),
        ],
    );
    assert!(!request.fields.contains_key("error.type"), "{request:?}");

    let call = seen.spans("mcp.call").pop().unwrap();
    assert_eq!((call.within, call.closed), (Some("mcp.request"), true));
    let expected =
        [("otel.name", "execute_tool echo"), ("gen_ai.tool.name", "echo"), ("round", "0"), ("outcome", "done")];
    assert_fields(&call.fields, &expected);
    assert!(call.fields["duration_ms"].parse::<f64>().unwrap() < 10_000.0);
    assert_eq!(seen.events(), [r#"DEBUG: {"message": "call done"}"#, r#"DEBUG: {"message": "request done"}"#]);
}

#[tokio::test]
async fn each_outcome_has_its_name() {
    let seen = Seen::default();
    let _guard = set_default(tracing_subscriber::registry().with(seen.clone()));
    let mut client = service().memory();
    for (name, arguments, outcome, error) in [
        ("fail", json!({ "text": "x" }), "tool_error", "tool_error"),
        ("panics", json!({}), "panicked", "panic"),
        ("is_slow", json!({}), "timed_out", "timeout"),
    ] {
        ask(&mut client, &call(name, arguments)).await;
        for span in ["mcp.call", "mcp.request"] {
            let expected = [("outcome", outcome), ("error.type", error), ("otel.status_code", "ERROR")];
            assert_fields(&seen.last(span), &expected);
        }
    }
    // The arguments are invalid, so the call does not run.
    ask(&mut client, &call("echo", json!({}))).await;
    assert_fields(&seen.last("mcp.call"), &[("outcome", "tool_error")]);

    ask(&mut client, &call("unknown", json!({}))).await;
    let refused = seen.last("mcp.request");
    assert_fields(&refused, &[("otel.name", "tools/call"), ("outcome", "error"), ("error.type", "-32602")]);
    assert_fields(&refused, &[("rpc.response.status_code", "-32602")]);
    assert!(!refused.contains_key("gen_ai.tool.name"), "only the server's own: {refused:?}");
    ask(&mut client, &modern(1, "tools/destroy", json!({}))).await;
    assert_fields(&seen.last("mcp.request"), &[("mcp.method.name", "tools/destroy"), ("error.type", "-32601")]);
}

#[tokio::test]
async fn the_span_of_a_request_lasts_until_its_answer() {
    let seen = Seen::default();
    let _guard = set_default(tracing_subscriber::registry().with(seen.clone()));
    let mut client = service().memory();
    client.send(&call("sleeps", json!({})).to_string()).await;
    assert!(!seen.spans("mcp.request")[0].closed);
    client.receive().await.unwrap();
    settle().await;
    let request = seen.spans("mcp.request").pop().unwrap();
    assert!(request.closed);
    assert_fields(&request.fields, &[("outcome", "done")]);
    let call = seen.last("mcp.call");
    assert!(20.0 <= call["duration_ms"].parse().unwrap(), "{call:?}");
}

#[tokio::test]
async fn a_span_records_who_cancelled() {
    let seen = Seen::default();
    let _guard = set_default(tracing_subscriber::registry().with(seen.clone()));
    let mut client = legacy(&service(), "2025-06-18").await;
    let request = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": { "name": "waits" } });
    client.send(&request.to_string()).await;
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } });
    client.send(&cancel.to_string()).await;
    let ping = json!({ "jsonrpc": "2.0", "id": 8, "method": "ping" });
    ask(&mut client, &ping).await;
    settle().await;
    assert_fields(&seen.last("mcp.call"), &[("outcome", "cancelled"), ("era", "legacy"), ("error.type", "cancelled")]);
    let requests = seen.spans("mcp.request");
    let cancelled = requests.iter().find(|span| span.fields["jsonrpc.request.id"] == "7").unwrap();
    assert_fields(&cancelled.fields, &[("outcome", "cancelled"), ("mcp.protocol.version", "2025-06-18")]);
    assert!(cancelled.closed);
}

#[tokio::test]
async fn each_round_has_spans_of_its_own() {
    let seen = Seen::default();
    let subscriber = tracing_subscriber::registry().with(client_layer()).with(seen.clone());
    let _guard = set_default(subscriber);
    let service = service();
    let mut client = service.memory();
    let asked = ask(&mut client, &call("hold", json!({}))).await;
    assert_fields(&seen.last("mcp.request"), &[("outcome", "asked"), ("jsonrpc.request.id", "1")]);
    assert_fields(&seen.last("mcp.call"), &[("outcome", "asked"), ("round", "0")]);
    assert!(seen.spans("mcp.call")[0].closed, "a call that waits is no open span");

    let mut more = answer("hold", json!({}), &asked, &accept("12A"));
    more["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = json!("info");
    let said = ask(&mut client, &more).await;
    assert_eq!(said["params"]["data"], "after the question", "it is found by the span of its round");
    client.receive().await.unwrap();
    settle().await;
    assert_fields(&seen.last("mcp.request"), &[("outcome", "done"), ("jsonrpc.request.id", "2")]);
    let call = seen.spans("mcp.call").pop().unwrap();
    assert_eq!(call.within, Some("mcp.request"));
    assert_fields(&call.fields, &[("outcome", "done"), ("round", "1")]);

    ask(&mut client, &answer("hold", json!({}), &asked, &accept("12A"))).await;
    assert_fields(&seen.last("mcp.request"), &[("outcome", "repeated"), ("gen_ai.tool.name", "hold")]);
    assert_eq!(seen.spans("mcp.call").len(), 2, "nothing ran");
}

#[tokio::test]
async fn marks_a_retried_request_as_repeated() {
    let seen = Seen::default();
    let _guard = set_default(tracing_subscriber::registry().with(seen.clone()));
    let server = Server::new("s", "1").ledger(MemoryLedger::default()).tools(tools![nothing]);
    let mut client = server.build().unwrap().memory();
    let mut keyed = call("nothing", json!({}));
    keyed["params"]["_meta"]["idempotency-key"] = json!("k");
    for outcome in ["done", "repeated"] {
        ask(&mut client, &keyed).await;
        settle().await;
        assert_fields(&seen.last("mcp.request"), &[("outcome", outcome), ("gen_ai.tool.name", "nothing")]);
    }
    assert_fields(&seen.last("mcp.call"), &[("outcome", "not_begun")]);
}

#[tokio::test]
async fn records_the_http_transport_without_the_session_id() {
    let seen = Seen::default();
    let _guard = set_default(tracing_subscriber::registry().with(seen.clone()));
    let app = service().router();
    post_call(&app, &[], &call("echo", json!({ "text": "x" }))).await;
    let expected = [("network.transport", "tcp"), ("network.protocol.name", "http")];
    assert_fields(&seen.last("mcp.request"), &expected);
    assert!(!seen.last("mcp.request").contains_key("mcp.session.id"));

    let (_, headers, _) = post(&app, &[], &hello("2025-11-25")).await;
    let opened = [("mcp.method.name", "initialize"), ("mcp.protocol.version", "2025-11-25"), ("era", "legacy")];
    assert_fields(&seen.last("mcp.request"), &opened);
    let id = headers["mcp-session-id"].to_str().unwrap();
    let session = [("mcp-session-id", id), ("mcp-protocol-version", "2025-11-25")];
    for number in [1, 2] {
        let ping = json!({ "jsonrpc": "2.0", "id": number, "method": "ping" });
        post(&app, &session, &ping).await;
    }
    let spans = seen.spans("mcp.request");
    let of_session: Vec<_> = spans.iter().filter_map(|span| span.fields.get("mcp.session.id")).collect();
    assert_eq!(of_session.len(), 2);
    assert_eq!(of_session[0], of_session[1]);
    assert_eq!(of_session[0].len(), 12);
    assert!(!seen.text().contains(id), "whoever has the id has the session");
}

#[tokio::test]
async fn requests_are_info_and_calls_are_always_there() {
    for (level, requests) in
        [(LevelFilter::DEBUG, 1), (LevelFilter::INFO, 1), (LevelFilter::WARN, 0), (LevelFilter::ERROR, 0)]
    {
        let seen = Seen::default();
        let _guard = set_default(tracing_subscriber::registry().with(seen.clone().with_filter(level)));
        ask(&mut service().memory(), &call("echo", json!({ "text": "x" }))).await;
        assert_eq!((seen.spans("mcp.request").len(), seen.spans("mcp.call").len()), (requests, 1), "{level}");
    }
}

#[tokio::test]
async fn a_tool_can_be_a_client_itself() {
    let seen = Seen::default();
    let _guard = set_default(tracing_subscriber::registry().with(seen.clone()));
    let other = service();
    let outer = Server::new("outer", "1").state(Other(other)).tools(tools![relay]);
    ask(&mut outer.build().unwrap().memory(), &call("relay", json!({}))).await;
    settle().await;
    let requests = seen.spans("mcp.request");
    assert_eq!(requests.len(), 2);
    assert_fields(&requests[0].fields, &[("gen_ai.tool.name", "relay"), ("outcome", "done")]);
    assert_fields(&requests[1].fields, &[("gen_ai.tool.name", "fail"), ("outcome", "tool_error")]);
    assert_eq!(requests[1].within, Some("mcp.call"));
}

struct Other(mcp_runtime::Service);

/// Calls a tool of another server, and fails not with it.
#[mcp_tool]
async fn relay(other: &Other) -> String {
    ask(&mut other.0.memory(), &call("fail", json!({ "text": "x" }))).await.to_string()
}

/// Does nothing at all.
#[mcp_tool]
async fn nothing() {}

/// Waits until all tasks have ended, because a task ends slightly after its answer.
async fn settle() {
    tokio::time::sleep(Duration::from_millis(20)).await;
}
