//! Traces of clients are continued.

use mcp_runtime::telemetry::client_layer;
use opentelemetry::{
    Context,
    trace::{SpanContext, SpanId, SpanKind, Status, TraceContextExt, TraceFlags, TraceId, TraceState, TracerProvider},
};
use opentelemetry_sdk::trace::{InMemorySpanExporter, SdkTracerProvider, SpanData};
use serde_json::{Value, json};
use tracing::Instrument;
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::prelude::*;

use crate::support::log::set_default;
use crate::watching::{
    recorder::Seen,
    tools::{accept, answer, ask, call, legacy, post_call, service},
};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const OTHER: &str = "00-11111111111111111111111111111111-2222222222222222-01";

/// OpenTelemetry with its exported spans.
struct Exported(InMemorySpanExporter, SdkTracerProvider);

impl Exported {
    fn begin() -> (Self, tracing::subscriber::DefaultGuard) {
        let exporter = InMemorySpanExporter::default();
        let provider = SdkTracerProvider::builder().with_simple_exporter(exporter.clone()).build();
        let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("test"));
        let guard = set_default(tracing_subscriber::registry().with(layer).with(client_layer()));
        (Self(exporter, provider), guard)
    }

    /// Returns the spans with this name, in the order in which they ended.
    fn spans(&self, name: &str) -> Vec<SpanData> {
        self.1.force_flush().unwrap();
        self.0.get_finished_spans().unwrap().into_iter().filter(|span| span.name == name).collect()
    }

    fn span(&self, name: &str) -> SpanData {
        self.spans(name).pop().unwrap_or_else(|| panic!("there is `{name}`: {:?}", self.0.get_finished_spans()))
    }
}

fn in_trace(mut message: Value, parent: &str) -> Value {
    message["params"]["_meta"]["traceparent"] = json!(parent);
    message["params"]["_meta"]["tracestate"] = json!("vendor=1");
    message
}

fn attribute(span: &SpanData, key: &str) -> Option<String> {
    let found = span.attributes.iter().find(|attribute| attribute.key.as_str() == key);
    found.map(|attribute| attribute.value.to_string())
}

#[tokio::test]
async fn a_request_is_the_child_of_its_clients_span() {
    let (exported, _guard) = Exported::begin();
    ask(&mut service().memory(), &in_trace(call("echo", json!({ "text": "x" })), PARENT)).await;
    let request = exported.span("tools/call echo");
    assert_eq!(request.span_context.trace_id().to_string(), TRACE);
    assert_eq!(request.parent_span_id.to_string(), "00f067aa0ba902b7");
    assert!(request.parent_span_is_remote);
    assert_eq!((request.span_kind.clone(), &request.status), (SpanKind::Server, &Status::Unset));
    assert_eq!(request.span_context.trace_state().get("vendor"), Some("1"));
    assert_eq!(attribute(&request, "mcp.method.name").as_deref(), Some("tools/call"));
    assert_eq!(attribute(&request, "otel.name"), None);
    let call = exported.span("execute_tool echo");
    assert_eq!(call.parent_span_id, request.span_context.span_id());
    assert_eq!(call.span_context.trace_id(), request.span_context.trace_id());
}

#[tokio::test]
async fn a_failed_call_has_the_error_status() {
    let (exported, _guard) = Exported::begin();
    ask(&mut service().memory(), &call("fail", json!({ "text": "x" }))).await;
    for name in ["tools/call fail", "execute_tool fail"] {
        let span = exported.span(name);
        assert!(matches!(span.status, Status::Error { .. }), "{span:?}");
        assert_eq!(attribute(&span, "error.type").as_deref(), Some("tool_error"));
        assert_eq!(span.parent_span_id == SpanId::INVALID, name.starts_with("tools/"), "nobody traces the client");
    }
}

#[tokio::test]
async fn each_round_continues_the_trace_of_its_own_request() {
    let (exported, _guard) = Exported::begin();
    let service = service();
    let mut client = service.memory();
    let asked = ask(&mut client, &in_trace(call("hold", json!({})), PARENT)).await;
    ask(&mut client, &in_trace(answer("hold", json!({}), &asked, &accept("1A")), OTHER)).await;
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    let requests = exported.spans("tools/call hold");
    let traces: Vec<_> = requests.iter().map(|span| span.span_context.trace_id().to_string()).collect();
    assert_eq!(traces, [TRACE, &OTHER[3..35]]);
    let calls = exported.spans("execute_tool hold");
    for (request, call) in requests.iter().zip(&calls) {
        assert_eq!(call.parent_span_id, request.span_context.span_id());
    }
    assert_eq!(calls.len(), 2);
}

#[tokio::test]
async fn continues_the_trace_of_headers_and_prefers_the_message() {
    let (exported, _guard) = Exported::begin();
    let app = service().router();
    post_call(&app, &[("traceparent", PARENT)], &call("echo", json!({ "text": "x" }))).await;
    assert_eq!(exported.span("tools/call echo").span_context.trace_id().to_string(), TRACE);
    post_call(&app, &[("traceparent", PARENT)], &in_trace(call("echo", json!({ "text": "x" })), OTHER)).await;
    assert_eq!(exported.span("tools/call echo").span_context.trace_id().to_string(), &OTHER[3..35]);
    post_call(&app, &[("traceparent", "00-bad")], &call("echo", json!({ "text": "x" }))).await;
    assert_eq!(exported.span("tools/call echo").parent_span_id, SpanId::INVALID);
}

#[tokio::test]
async fn an_application_that_has_read_the_headers_has_its_span_in_between() {
    let (exported, _guard) = Exported::begin();
    let app = service().router();
    // Like a middleware: its span continues the trace of the headers.
    let remote = {
        let (trace, span) = (TraceId::from_hex(TRACE).unwrap(), SpanId::from_hex(&PARENT[36..52]).unwrap());
        SpanContext::new(trace, span, TraceFlags::SAMPLED, true, TraceState::NONE)
    };
    let around = tracing::info_span!("POST /mcp");
    around.set_parent(Context::new().with_remote_span_context(remote)).unwrap();
    let id = around.context().span().span_context().span_id();
    let message = call("echo", json!({ "text": "x" }));
    post_call(&app, &[("traceparent", PARENT)], &message).instrument(around.clone()).await;
    assert_eq!(exported.span("tools/call echo").parent_span_id, id);

    let message = in_trace(call("echo", json!({ "text": "x" })), OTHER);
    post_call(&app, &[("traceparent", PARENT)], &message).instrument(around).await;
    let request = exported.span("tools/call echo");
    assert_eq!(request.span_context.trace_id().to_string(), &OTHER[3..35], "the message says where it belongs");
    assert_eq!(request.links.links[0].span_context.span_id(), id, "what carried it is linked");
}

#[tokio::test]
async fn a_tool_can_propagate_its_span() {
    let text = |reply: Value| reply["result"]["content"][0]["text"].as_str().unwrap().to_owned();
    let message = || {
        let mut message = in_trace(call("traced", json!({})), PARENT);
        message["params"]["_meta"]["baggage"] = json!("k=v");
        message
    };
    // Without a recorded span, the context is passed on unchanged.
    let told = text(ask(&mut service().memory(), &message()).await);
    assert_eq!(told, format!(r#"{PARENT} Some("vendor=1") Some("k=v")"#));
    assert_eq!(text(ask(&mut service().memory(), &call("traced", json!({}))).await), "");
    let mut session = legacy(&service(), "2025-03-26").await;
    let request = json!({ "name": "traced", "_meta": { "traceparent": PARENT } });
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": request });
    assert_eq!(text(ask(&mut session, &request).await), format!("{PARENT} None None"));

    let (exported, _guard) = Exported::begin();
    let told = text(ask(&mut service().memory(), &message()).await);
    let span = exported.span("execute_tool traced").span_context.span_id();
    assert_eq!(told, format!(r#"00-{TRACE}-{span}-01 Some("vendor=1") Some("k=v")"#));
}

#[tokio::test]
async fn records_trace_ids_in_the_span_without_opentelemetry() {
    let seen = Seen::default();
    let _guard = set_default(tracing_subscriber::registry().with(seen.clone()));
    ask(&mut service().memory(), &in_trace(call("echo", json!({ "text": "x" })), PARENT)).await;
    let (request, inner) = (seen.last("mcp.request"), seen.last("mcp.call"));
    assert_eq!((&*request["trace_id"], &*request["parent_id"]), (TRACE, "00f067aa0ba902b7"));
    assert!(!inner.contains_key("trace_id"), "the request says it");
    assert!(!seen.text().contains("vendor=1"));

    let seen = Seen::default();
    let level = tracing_subscriber::filter::LevelFilter::WARN;
    let _guard = set_default(tracing_subscriber::registry().with(level).with(seen.clone()));
    ask(&mut service().memory(), &in_trace(call("echo", json!({ "text": "x" })), PARENT)).await;
    assert_eq!(&*seen.last("mcp.call")["trace_id"], TRACE, "where the request is filtered out, its call says it");
}
