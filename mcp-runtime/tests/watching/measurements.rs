//! Metrics, in the format of Prometheus.

use std::time::Duration;

use mcp_runtime::{Server, prelude::*};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use serde_json::json;

use crate::support::shared_ledger::SharedLedger;
use crate::watching::tools::{accept, answer, ask, call, hello, legacy, modern, post, post_call, service};

/// A recorder for this thread.
pub(crate) struct Measured(PrometheusHandle);

impl Measured {
    pub(crate) fn recorder() -> (PrometheusRecorder, Self) {
        let recorder = PrometheusBuilder::new().with_recommended_naming(true).build_recorder();
        let handle = recorder.handle();
        (recorder, Self(handle))
    }

    /// Returns the sum of the metrics with this name and these labels.
    fn sum(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let text = self.0.render();
        let lines = text.lines().filter(|line| {
            let is_named = line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['{', ' ']));
            is_named && labels.iter().all(|(key, value)| line.contains(&format!("{key}=\"{value}\"")))
        });
        lines.map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()).sum()
    }

    #[track_caller]
    pub(crate) fn assert(&self, name: &str, labels: &[(&str, &str)], expected: f64) {
        assert_eq!(self.sum(name, labels), expected, "{name} {labels:?} in\n{}", self.0.render());
    }
}

const REQUESTS: &str = "mcp_server_operation_duration_seconds_count";
pub(crate) const CALLS: &str = "mcp_server_call_duration_seconds_count";
pub(crate) const ROUNDS: &str = "mcp_server_call_rounds_sum";

async fn settle() {
    tokio::time::sleep(Duration::from_millis(20)).await;
}

#[tokio::test]
async fn counts_requests_and_calls_by_outcome() {
    let (recorder, measured) = Measured::recorder();
    let _measuring = metrics::set_default_local_recorder(&recorder);
    let service = service();
    let mut client = service.memory();
    ask(&mut client, &call("echo", json!({ "text": "x" }))).await;
    ask(&mut client, &call("echo", json!({ "text": "x" }))).await;
    ask(&mut client, &call("echo", json!({}))).await;
    ask(&mut client, &call("fail", json!({ "text": "x" }))).await;
    ask(&mut client, &call("panics", json!({}))).await;
    ask(&mut client, &call("is_slow", json!({}))).await;
    ask(&mut client, &modern(1, "tools/list", json!({}))).await;
    for name in ["a", "b", "c"] {
        ask(&mut client, &call(name, json!({}))).await;
        ask(&mut client, &modern(1, name, json!({}))).await;
    }
    settle().await;

    let echo = ("gen_ai_tool_name", "echo");
    measured.assert(REQUESTS, &[echo, ("outcome", "done"), ("mcp_protocol_version", "2026-07-28")], 2.0);
    measured.assert(REQUESTS, &[echo, ("outcome", "tool_error"), ("error_type", "tool_error")], 1.0);
    measured.assert(REQUESTS, &[("mcp_method_name", "tools/list"), ("network_transport", "pipe")], 1.0);
    measured.assert(REQUESTS, &[("mcp_method_name", "other"), ("error_type", "-32601")], 3.0);
    measured.assert(REQUESTS, &[("mcp_method_name", "tools/call"), ("error_type", "-32602")], 3.0);
    measured.assert(REQUESTS, &[], 13.0);
    for unbounded in [r#"="a""#, r#"="b""#, r#"="c""#] {
        assert!(!measured.0.render().contains(unbounded), "{}", measured.0.render());
    }

    measured.assert(CALLS, &[echo, ("outcome", "done")], 2.0);
    measured.assert(CALLS, &[("gen_ai_tool_name", "panics"), ("outcome", "panicked"), ("error_type", "panic")], 1.0);
    measured.assert(CALLS, &[("gen_ai_tool_name", "is_slow"), ("outcome", "timed_out")], 1.0);
    measured.assert("mcp_server_calls_active", &[], 0.0);
    assert!(0.03 <= measured.sum("mcp_server_call_duration_seconds_sum", &[("outcome", "timed_out")]));
    let text = measured.0.render();
    assert!(text.contains("# HELP mcp_server_operation_duration_seconds requests, from their arrival"), "{text}");
}

#[tokio::test]
async fn gauges_requests_and_calls_in_flight() {
    let (recorder, measured) = Measured::recorder();
    let _measuring = metrics::set_default_local_recorder(&recorder);
    let service = service();
    let session = legacy(&service, "2025-11-25").await;
    measured.assert("mcp_server_sessions_active", &[], 1.0);
    let request = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": { "name": "waits" } });
    session.send(&request.to_string()).await;
    measured.assert("mcp_server_calls_active", &[], 1.0);
    measured.assert(REQUESTS, &[("mcp_method_name", "tools/call")], 0.0);
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } });
    session.send(&cancel.to_string()).await;
    settle().await;
    measured.assert("mcp_server_calls_active", &[], 0.0);
    measured.assert(REQUESTS, &[("gen_ai_tool_name", "waits"), ("outcome", "cancelled")], 1.0);
    measured.assert(ROUNDS, &[("gen_ai_tool_name", "waits"), ("outcome", "cancelled")], 1.0);
    drop(session);
    measured.assert("mcp_server_sessions_active", &[], 0.0);
    measured.assert("mcp_server_session_duration_seconds_count", &[("mcp_protocol_version", "2025-11-25")], 1.0);
}

#[tokio::test]
async fn counts_rounds_and_parked_calls() {
    let (recorder, measured) = Measured::recorder();
    let _measuring = metrics::set_default_local_recorder(&recorder);
    let service = service();
    let mut client = service.memory();
    let asked = ask(&mut client, &call("hold", json!({}))).await;
    measured.assert("mcp_server_calls_parked", &[], 1.0);
    measured.assert("mcp_server_calls_active", &[], 0.0);
    measured.assert(ROUNDS, &[], 0.0);
    ask(&mut client, &answer("hold", json!({}), &asked, &accept("1A"))).await;
    settle().await;
    measured.assert("mcp_server_calls_parked", &[], 0.0);
    measured.assert(ROUNDS, &[("gen_ai_tool_name", "hold"), ("outcome", "done")], 2.0);
    measured.assert(CALLS, &[("outcome", "asked")], 1.0);
    ask(&mut client, &answer("hold", json!({}), &asked, &accept("1A"))).await;
    measured.assert(REQUESTS, &[("outcome", "repeated")], 1.0);
}

#[tokio::test(start_paused = true)]
async fn counts_asks_by_answer() {
    let (recorder, measured) = Measured::recorder();
    let _measuring = metrics::set_default_local_recorder(&recorder);
    let service = service();
    let mut client = service.memory();
    let arguments = json!({ "text": "x" });
    for responses in [accept("1A"), json!({ "action": "decline" }), json!({ "action": "cancel" })] {
        let asked = ask(&mut client, &call("book", arguments.clone())).await;
        ask(&mut client, &answer("book", arguments.clone(), &asked, &responses)).await;
    }
    let mut session = legacy(&service, "2025-06-18").await;
    let request = json!({ "name": "book", "arguments": arguments });
    for (id, answers) in [(1, true), (2, false)] {
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": request });
        let question = ask(&mut session, &request).await;
        if answers {
            let told = json!({ "jsonrpc": "2.0", "id": question["id"], "result": accept("1A") });
            session.send(&told.to_string()).await;
        }
        session.receive().await.unwrap();
    }
    let asks = |outcome| measured.sum("mcp_server_asks_total", &[("mcp_method_name", "elicitation/create"), outcome]);
    let counted = ["accepted", "declined", "cancelled", "timed_out"].map(|outcome| asks(("outcome", outcome)));
    assert_eq!(counted, [2.0, 1.0, 1.0, 1.0], "{}", measured.0.render());
}

/// Asks whether it may.
#[mcp_tool(replayable)]
async fn confirm(ctx: &Ctx<crate::watching::tools::Trip>) -> mcp_runtime::Result<String> {
    Ok(ctx.elicit::<crate::watching::tools::Seat>("Which?").strict().await?.seat)
}

#[tokio::test]
async fn measures_the_time_of_ledger_operations() {
    let (recorder, measured) = Measured::recorder();
    let _measuring = metrics::set_default_local_recorder(&recorder);
    let ledger = SharedLedger::default();
    let service = Server::new("s", "1").tools(tools![confirm]).ledger(ledger.clone()).build().unwrap();
    let mut client = service.memory();
    let asked = ask(&mut client, &call("confirm", json!({}))).await;
    ledger.is_away.set(true);
    let refused = ask(&mut client, &answer("confirm", json!({}), &asked, &accept("1A"))).await;
    assert_eq!(refused["error"]["code"], -32603);
    ledger.is_away.set(false);
    ask(&mut client, &answer("confirm", json!({}), &asked, &accept("1A"))).await;
    let ledger = "mcp_server_ledger_duration_seconds_count";
    assert!(1.0 <= measured.sum(ledger, &[("operation", "swap"), ("outcome", "done")]), "{}", measured.0.render());
    assert!(1.0 <= measured.sum(ledger, &[("operation", "swap"), ("outcome", "failed")]), "{}", measured.0.render());
    measured.assert(REQUESTS, &[("error_type", "-32603")], 1.0);
}

#[tokio::test]
async fn counts_http_responses_by_status() {
    let (recorder, measured) = Measured::recorder();
    let _measuring = metrics::set_default_local_recorder(&recorder);
    let app = service().router();
    post_call(&app, &[], &call("echo", json!({ "text": "x" }))).await;
    post(&app, &[], &hello("2025-11-25")).await;
    post(&app, &[("mcp-session-id", "none")], &json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })).await;
    let responses = "mcp_server_http_responses_total";
    measured.assert(responses, &[("http_request_method", "POST"), ("http_response_status_code", "200")], 2.0);
    measured.assert(responses, &[("http_response_status_code", "404")], 1.0);
    measured.assert(REQUESTS, &[("network_transport", "tcp"), ("mcp_protocol_version", "2026-07-28")], 1.0);
}

#[tokio::test]
async fn counts_calls_rejected_by_limits() {
    let (recorder, measured) = Measured::recorder();
    let _measuring = metrics::set_default_local_recorder(&recorder);
    let limits = mcp_runtime::http::HttpLimits::default().max_sessions_per_principal(1);
    let server = Server::new("s", "1").tools(tools![hang]).max_concurrent_calls(2).http_limits(limits);
    let app = server.build().unwrap().router().layer(axum::Extension(mcp_runtime::Principal::new("ann")));
    let message = call("hang", json!({}));
    let first = tokio::spawn({
        let (app, message) = (app.clone(), message.clone());
        async move { post_call(&app, &[], &message).await }
    });
    settle().await;
    post_call(&app, &[], &message).await;
    measured.assert("mcp_server_refused_total", &[("reason", "calls")], 1.0);
    measured.assert(REQUESTS, &[("gen_ai_tool_name", "hang"), ("error_type", "-32603")], 1.0);
    measured.assert("mcp_server_calls_active", &[], 1.0);
    measured.assert(CALLS, &[], 0.0);
    first.abort();
    for _ in 0..2 {
        post(&app, &[], &hello("2025-11-25")).await;
    }
    measured.assert("mcp_server_refused_total", &[("reason", "sessions")], 1.0);
}

/// Never ends.
#[mcp_tool]
async fn hang() -> String {
    std::future::pending().await
}
