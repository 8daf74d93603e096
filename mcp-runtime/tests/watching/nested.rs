//! A tool that calls tools: each of these calls has its own spans and its own durations.

use std::time::Duration;

use mcp_runtime::{Result, Server, Service, prelude::*, store::KeyRing};
use serde_json::{Value, json};
use tracing_subscriber::prelude::*;

use crate::{
    support::{log::set_default, shared_ledger::SharedLedger},
    watching::{
        measurements::{CALLS, Measured, ROUNDS},
        recorder::Seen,
        tools::{Seat, Trip, accept, answer, ask, call, legacy},
    },
};

/// Looks for a hotel.
#[mcp_tool(read_only)]
async fn look() -> &'static str {
    "found"
}

/// Packs a bag, which is an effect.
#[mcp_tool]
async fn pack() -> &'static str {
    "packed"
}

/// Chooses a seat.
#[mcp_tool(replayable)]
async fn choose(ctx: &Ctx<Trip>) -> Result<String> {
    Ok(ctx.elicit::<Seat>("Which seat?").strict().await?.seat)
}

/// Pays, but the card has expired.
#[mcp_tool]
async fn pay() -> Result<String> {
    Err("the card has expired".into())
}

/// Goes on a trip.
#[mcp_tool(replayable)]
async fn travel(ctx: &Ctx<Trip>) -> Result<String> {
    ctx.call_tool(look::with()).await?;
    ctx.call_tool(pack::with()).await?;
    let seat = ctx.call_tool(choose::with()).await?;
    ctx.call_tool(pay::with()).await.unwrap_err();
    Ok(seat)
}

/// Does not end.
#[mcp_tool(read_only)]
async fn waits() -> String {
    std::future::pending().await
}

/// Does not wait for the other tool.
#[mcp_tool(read_only)]
async fn gives_up(ctx: &Ctx) -> String {
    let waiting = ctx.call_tool(waits::with()).into_future();
    tokio::select! {
        biased;
        _ = waiting => "waited".to_owned(),
        () = std::future::ready(()) => "gave up".to_owned(),
    }
}

/// Returns one of the instances that share a ledger.
fn instance(ledger: &SharedLedger) -> Service {
    let server = Server::new("trips", "1").ledger(ledger.clone()).state_keys(KeyRing::new([7; 32]));
    server.tools(tools![look, pack, choose, pay, travel, waits, gives_up]).build().unwrap()
}

/// Returns the tool, the round, the outcome, and the name of the parent of each span of a call.
fn calls(seen: &Seen) -> Vec<[String; 4]> {
    let spans = seen.spans("mcp.call").into_iter().map(|span| {
        assert!(span.closed, "{span:?}");
        let field = |name| span.fields[name].clone();
        assert_eq!(field("otel.name"), format!("execute_tool {}", field("gen_ai.tool.name")));
        assert_eq!(field("otel.kind"), "internal");
        [field("gen_ai.tool.name"), field("round"), field("outcome"), span.within.unwrap_or_default().to_owned()]
    });
    spans.collect()
}

async fn first_round(service: &Service) -> Value {
    ask(&mut service.memory(), &call("travel", json!({}))).await
}

async fn second_round(service: &Service, asked: &Value) {
    let done = ask(&mut service.memory(), &answer("travel", json!({}), asked, &accept("12A"))).await;
    assert_eq!(done["result"]["content"][0]["text"], "12A");
    // The spans and the measurements are complete slightly after the answer.
    tokio::time::sleep(Duration::from_millis(20)).await;
}

const FIRST: [[&str; 4]; 4] = [
    ["travel", "0", "asked", "mcp.request"],
    ["look", "0", "done", "mcp.call"],
    ["pack", "0", "done", "mcp.call"],
    ["choose", "0", "asked", "mcp.call"],
];

#[tokio::test]
async fn a_nested_call_has_a_span_in_that_of_its_caller() {
    let seen = Seen::default();
    let _guard = set_default(tracing_subscriber::registry().with(seen.clone()));
    let service = instance(&SharedLedger::default());
    let asked = first_round(&service).await;
    assert_eq!(calls(&seen), FIRST);
    second_round(&service, &asked).await;
    let second = [
        ["travel", "1", "done", "mcp.request"],
        ["choose", "1", "done", "mcp.call"],
        ["pay", "1", "tool_error", "mcp.call"],
    ];
    assert_eq!(calls(&seen)[FIRST.len()..], second);
}

#[tokio::test]
async fn a_nested_call_that_ended_before_is_repeated_in_a_rebuilt_call() {
    let (recorder, measured) = Measured::recorder();
    let _measuring = metrics::set_default_local_recorder(&recorder);
    let seen = Seen::default();
    let _guard = set_default(tracing_subscriber::registry().with(seen.clone()));
    let ledger = SharedLedger::default();
    let asked = first_round(&instance(&ledger)).await;
    second_round(&instance(&ledger), &asked).await;
    // The result of `pack` is recorded, so that it does not run.
    let second = [
        ["travel", "1", "done", "mcp.request"],
        ["look", "1", "repeated", "mcp.call"],
        ["choose", "1", "done", "mcp.call"],
        ["pay", "1", "tool_error", "mcp.call"],
    ];
    assert_eq!(calls(&seen)[FIRST.len()..], second);
    measured.assert(CALLS, &[("gen_ai_tool_name", "look")], 1.0);
}

#[tokio::test]
async fn a_session_has_one_span_for_a_nested_call_that_asks() {
    let seen = Seen::default();
    let _guard = set_default(tracing_subscriber::registry().with(seen.clone()));
    let service = instance(&SharedLedger::default());
    let mut session = legacy(&service, "2025-11-25").await;
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "travel" } });
    let question = ask(&mut session, &request).await;
    ask(&mut session, &json!({ "jsonrpc": "2.0", "id": question["id"], "result": accept("12A") })).await;
    tokio::time::sleep(Duration::from_millis(20)).await;
    let expected = [
        ["travel", "0", "done", "mcp.request"],
        ["look", "0", "done", "mcp.call"],
        ["pack", "0", "done", "mcp.call"],
        ["choose", "0", "done", "mcp.call"],
        ["pay", "0", "tool_error", "mcp.call"],
    ];
    assert_eq!(calls(&seen), expected);
}

#[tokio::test]
async fn a_nested_call_that_its_caller_drops_is_cancelled() {
    let seen = Seen::default();
    let _guard = set_default(tracing_subscriber::registry().with(seen.clone()));
    let service = instance(&SharedLedger::default());
    ask(&mut service.memory(), &call("gives_up", json!({}))).await;
    let expected = [["gives_up", "0", "done", "mcp.request"], ["waits", "0", "cancelled", "mcp.call"]];
    assert_eq!(calls(&seen), expected);
    assert_eq!(seen.last("mcp.request")["outcome"], "done");
}

#[tokio::test]
async fn nested_calls_are_counted_and_their_questions_once() {
    let (recorder, measured) = Measured::recorder();
    let _measuring = metrics::set_default_local_recorder(&recorder);
    let service = instance(&SharedLedger::default());
    let asked = first_round(&service).await;
    measured.assert("mcp_server_calls_active", &[], 0.0);
    measured.assert("mcp_server_calls_parked", &[], 1.0);
    second_round(&service, &asked).await;
    for (tool, outcome) in
        [("look", "done"), ("pack", "done"), ("choose", "asked"), ("choose", "done"), ("pay", "tool_error")]
    {
        measured.assert(CALLS, &[("gen_ai_tool_name", tool), ("outcome", outcome), ("nested", "true")], 1.0);
    }
    measured.assert(CALLS, &[("nested", "true")], 5.0);
    // The call itself has two rounds, and the label is not on them.
    measured.assert(CALLS, &[], 7.0);
    measured.assert(ROUNDS, &[], 2.0);
    measured.assert("mcp_server_asks_total", &[], 1.0);
}
