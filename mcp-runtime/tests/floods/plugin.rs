//! Calls, arguments and event streams of a `PluginHost`.

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::StatusCode,
    middleware::{Next, from_fn},
    response::Response,
};
use mcp_runtime::{
    Principal, Result,
    plugin::{CallStatus, PluginCall, PluginError, PluginHost, PluginLimits, TimelineEventKind},
    prelude::*,
};
use serde_json::json;
use tower::ServiceExt as _;

use crate::{
    floods::memory::{Idle, PART},
    support::own_process::in_own_process,
};

/// The size of large arguments.
const LARGE: usize = 1_000_000 / PART;
const MIB: usize = 1024 * 1024;

#[elicits]
enum Keeping {
    /// Keep it?
    Confirm {
        /// Whether to keep it.
        confirmed: bool,
    },
}

/// Asks whether to keep a note.
#[mcp_tool(replayable)]
async fn keep(ctx: &Ctx<Keeping>, note: String) -> Result<String> {
    let _ = ctx.elicit::<Confirm>("Keep it?").await?;
    Ok(format!("{} bytes", note.len()))
}

/// Returns its text.
#[mcp_tool]
async fn echo(text: String) -> String {
    text
}

async fn host() -> PluginHost {
    let limits = PluginLimits::default()
        .max_open_calls_per_owner(64 / PART)
        .max_open_calls(16 * 1024 / PART)
        .max_open_bytes_per_owner(8 * MIB / PART)
        .max_open_bytes(64 * MIB / PART)
        .max_ended_bytes_per_owner(8 * MIB / PART)
        .max_ended_bytes(64 * MIB / PART)
        .max_followers(4 * 1024 / PART);
    let server = Server::new("app", "1").tools(tools![keep, echo]);
    PluginHost::builder(server).limits(limits).start().await.unwrap()
}

async fn ended(host: &PluginHost, owner: &str, arguments: serde_json::Value) -> PluginCall {
    let call = host.call_as(owner.to_owned(), "echo", arguments).await.unwrap();
    call.outcome().await;
    call
}

/// Begins a call, and returns it when it waits for its user.
async fn waiting(host: &PluginHost, owner: &str, note: &str) -> Result<PluginCall, PluginError> {
    let call = host.call_as(owner.to_owned(), "keep", json!({ "note": note })).await?;
    let mut follower = call.clone();
    while let Some(event) = follower.next_event().await {
        match event.kind {
            TimelineEventKind::Elicit { .. } => return Ok(call),
            kind => assert!(!kind.is_end(), "{kind:?}"),
        }
    }
    panic!("the call has ended")
}

/// Answers the question of a call that waits.
async fn serve(call: &PluginCall) {
    call.answer(1, Elicited::Accept(Confirm { confirmed: true })).await.unwrap();
    assert_eq!(call.outcome().await.text(), "5 bytes");
}

#[tokio::test]
async fn invalid_arguments_keep_next_to_nothing() {
    in_own_process!();
    let host = host().await;
    let others = ended(&host, "bob", json!({ "text": "hello" })).await.id().to_owned();
    let idle = Idle::measure();
    for _ in 0..110 {
        let call = ended(&host, "eve", json!({ "wrong": "x".repeat(LARGE) })).await;
        assert!(call.outcome().await.is_error());
    }
    idle.assert_peak_of_part();
    assert!(idle.more() < 2_000_000, "{} bytes are left", idle.more());
    assert_eq!(host.find_as("bob", &others).await.unwrap().outcome().await.text(), "hello");
}

#[tokio::test]
async fn ended_calls_have_a_bound_in_bytes() {
    in_own_process!();
    let host = host().await;
    let others = ended(&host, "bob", json!({ "text": "hello" })).await.id().to_owned();
    let idle = Idle::measure();
    for number in 0..110 {
        // First one user, then many.
        let owner = if number < 60 { "eve".to_owned() } else { format!("eve-{number}") };
        ended(&host, &owner, json!({ "text": "x".repeat(LARGE) })).await;
    }
    idle.assert_peak_of_part();
    assert_eq!(host.find_as("bob", &others).await.unwrap().outcome().await.text(), "hello");
    drop(host);
    assert!(idle.more() < 2_000_000, "{} bytes are left", idle.more());
}

#[tokio::test]
async fn open_calls_have_a_bound_in_bytes() {
    in_own_process!();
    let host = host().await;
    let others = waiting(&host, "bob", "hello").await.unwrap();
    let idle = Idle::measure();
    let note = "x".repeat(LARGE);
    let mut refused = 0;
    for number in 0..110 {
        let owner = format!("eve-{}", number / 5);
        refused += usize::from(waiting(&host, &owner, &note).await.is_err());
    }
    assert!(refused > 40, "{refused}");
    idle.assert_peak_of_part();
    serve(&others).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invented_users_with_waiting_calls_lock_out_nobody() {
    in_own_process!();
    let host = host().await;
    let others = waiting(&host, "bob", "hello").await.unwrap();
    let idle = Idle::measure();
    for user in 0..260 {
        for _ in 0..64 / PART {
            // Only the last few of them find the host full.
            let _ = waiting(&host, &format!("eve-{user}"), "hello").await;
        }
    }
    idle.assert_peak_of_part();
    serve(&others).await;
    let newcomer = waiting(&host, "ann", "hello").await.unwrap();
    assert_eq!(newcomer.status(), CallStatus::InputRequired);
    serve(&newcomer).await;
}

/// The user is in a header.
async fn identify(mut request: Request, next: Next) -> Response {
    let user = request.headers()["x-user"].to_str().unwrap().to_owned();
    request.extensions_mut().insert(Principal::new(user));
    next.run(request).await
}

async fn follow(app: &Router, owner: &str, call: &PluginCall) -> Response {
    let request = Request::get(format!("/calls/{}/events", call.id())).header("x-user", owner);
    let request = request.header("host", "localhost");
    app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
}

#[tokio::test]
async fn event_streams_have_a_bound() {
    in_own_process!();
    let host = host().await;
    let app = host.router().layer(from_fn(identify));
    let others = waiting(&host, "bob", "hello").await.unwrap();
    let own = waiting(&host, "eve", "hello").await.unwrap();
    let idle = Idle::measure();
    let mut streams = Vec::new();
    for _ in 0..4_000 / PART {
        streams.push(follow(&app, "eve", &own).await);
    }
    let open = |streams: &[Response]| streams.iter().filter(|stream| stream.status() == StatusCode::OK).count();
    assert_eq!(open(&streams), 16);
    for number in 0..2_000 / PART {
        let owner = format!("eve-{number}");
        let call = waiting(&host, &owner, "hello").await.unwrap();
        for _ in 0..4 {
            streams.push(follow(&app, &owner, &call).await);
        }
    }
    assert_eq!(follow(&app, "bob", &others).await.status(), StatusCode::OK);
    idle.assert_peak_of_part();
    drop(streams);
    serve(&others).await;
}
