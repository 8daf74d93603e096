//! What a client can make a host keep has bounds, for each user and in all.

use mcp_runtime::{
    Result,
    plugin::{CallStatus, PluginCall, PluginError, PluginHost, PluginLimits, PluginOutcome, TimelineEventKind},
    prelude::*,
    tool::DynamicTool,
};
use serde_json::{Value, json};

use crate::plugin::support::{Kitchen, Order, accept, events, keep, question, server, types};

async fn host(limits: PluginLimits) -> PluginHost {
    PluginHost::builder(server(&Kitchen::default()).tool(Order).tools(tools![echo, keep]))
        .limits(limits)
        .start()
        .await
        .unwrap()
}

/// Returns its text.
#[mcp_tool]
async fn echo(#[serde(default)] text: String, #[serde(default)] more: String) -> String {
    drop(more);
    text
}

#[elicits]
enum More {
    /// More?
    Go {
        /// What to add.
        text: String,
    },
}

/// Asks until the user says that it is enough.
#[mcp_tool]
async fn asks(ctx: &Ctx<More>) -> Result<String> {
    while let Elicited::Accept(Go { text }) = ctx.elicit::<Go>("More?").await? {
        if text == "enough" {
            break;
        }
    }
    Ok("done".to_owned())
}

async fn ended(host: &PluginHost, owner: &str, text: &str) -> PluginCall {
    let call = host.call_as(owner, "echo", json!({ "text": text })).await.unwrap();
    call.outcome().await;
    call
}

async fn waiting(host: &PluginHost, owner: &str) -> Result<PluginCall, PluginError> {
    let call = host.call_as(owner, "order", json!({ "dishes": 1 })).await?;
    question(&call, 1).await;
    Ok(call)
}

async fn is_kept(host: &PluginHost, owner: &str, call: &PluginCall) -> bool {
    host.find_as(owner, call.id()).await.is_ok()
}

#[tokio::test]
async fn an_owner_loses_its_own_oldest_ended_call() {
    let host = host(PluginLimits::default().max_ended_calls_per_owner(2)).await;
    let others = ended(&host, "bob", "").await;
    let [first, second, third] =
        [ended(&host, "ann", "").await, ended(&host, "ann", "").await, ended(&host, "ann", "").await];
    assert!(!is_kept(&host, "ann", &first).await);
    assert!(is_kept(&host, "ann", &second).await && is_kept(&host, "ann", &third).await);
    assert!(is_kept(&host, "bob", &others).await);
    // A handle keeps the outcome of its call.
    assert_eq!(first.outcome().await.text(), "");
}

#[tokio::test]
async fn an_owner_loses_its_own_oldest_bytes() {
    let host = host(PluginLimits::default().max_ended_bytes_per_owner(25_000)).await;
    let others = ended(&host, "bob", "").await;
    let text = "x".repeat(5_000);
    let [first, second, third] =
        [ended(&host, "ann", &text).await, ended(&host, "ann", &text).await, ended(&host, "ann", &text).await];
    assert!(!is_kept(&host, "ann", &first).await);
    assert!(is_kept(&host, "ann", &second).await && is_kept(&host, "ann", &third).await);
    assert!(is_kept(&host, "bob", &others).await);
}

#[tokio::test]
async fn the_owner_with_most_ended_calls_loses_the_oldest() {
    let host = host(PluginLimits::default().max_ended_calls(4)).await;
    let others = ended(&host, "bob", "").await;
    let mut own = Vec::new();
    for _ in 0..20 {
        own.push(ended(&host, "eve", "").await);
    }
    assert!(is_kept(&host, "bob", &others).await);
    assert!(is_kept(&host, "eve", &own[19]).await && !is_kept(&host, "eve", &own[16]).await);
}

#[tokio::test]
async fn the_owner_with_most_ended_bytes_loses_the_oldest() {
    let host = host(PluginLimits::default().max_ended_bytes(50_000)).await;
    let others = ended(&host, "bob", &"x".repeat(5_000)).await;
    for owner in ["eve-1", "eve-2", "eve-3"] {
        ended(&host, owner, &"x".repeat(10_000)).await;
    }
    assert!(is_kept(&host, "bob", &others).await);
}

#[tokio::test(start_paused = true)]
async fn ended_calls_are_dropped_while_the_host_is_idle() {
    let host = host(PluginLimits::default()).await;
    let call = ended(&host, "ann", "").await;
    tokio::time::sleep(std::time::Duration::from_secs(299)).await;
    assert!(is_kept(&host, "ann", &call).await);
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    assert!(!is_kept(&host, "ann", &call).await);
}

#[tokio::test]
async fn a_call_with_invalid_arguments_keeps_no_arguments() {
    let host = host(PluginLimits::default().max_ended_bytes_per_owner(20_000)).await;
    let mut calls = Vec::new();
    for _ in 0..10 {
        let arguments = json!({ "text": 1, "more": "x".repeat(100_000) });
        let call = host.call_as("ann", "echo", arguments).await.unwrap();
        assert!(call.outcome().await.text().contains("`text`"));
        calls.push(call);
    }
    for call in calls {
        let kept = host.find_as("ann", call.id()).await.unwrap();
        assert_eq!(kept.arguments().get(), "{}");
        assert_eq!(json!(events(kept).await)[0]["arguments"], json!({}));
    }
}

#[tokio::test]
async fn open_calls_have_a_bound_in_bytes() {
    let host = host(PluginLimits::default().max_open_bytes_per_owner(30_000).max_open_bytes(70_000)).await;
    let begin = |owner| host.call_as(owner, "keep", json!({ "note": "x".repeat(10_000) }));
    let first = begin("ann").await.unwrap();
    let refused = begin("ann").await.unwrap_err();
    assert!(matches!(refused, PluginError::TooManyBytes(30_000)), "{refused}");
    begin("bob").await.unwrap();
    begin("eve").await.unwrap();
    assert!(matches!(begin("zoe").await, Err(PluginError::Full)));
    first.cancel();
    first.outcome().await;
    begin("zoe").await.unwrap();
}

#[tokio::test]
async fn invented_users_cannot_lock_out_a_user() {
    let host = host(PluginLimits::default().max_open_calls_per_owner(4).max_open_calls(16)).await;
    let ann = waiting(&host, "ann").await.unwrap();
    let mut invented = Vec::new();
    for user in ["eve-1", "eve-2", "eve-3", "eve-4", "eve-5", "eve-6"] {
        for _ in 0..4 {
            invented.extend(waiting(&host, user).await);
        }
    }
    // The newcomer is served, at the cost of those who have most.
    let bob = waiting(&host, "bob").await.unwrap();
    bob.answer_json(1, Elicited::Decline).await.unwrap();
    assert_eq!(bob.outcome().await.text(), "nothing ordered");
    assert_eq!(ann.status(), CallStatus::InputRequired);
    let displaced = invented.iter().find(|call| !call.status().is_open()).expect("an invented user lost a call");
    let PluginOutcome::Failed(message) = displaced.outcome().await else { panic!("the call was not displaced") };
    assert!(message.contains("limit of open calls"), "{message}");
}

#[tokio::test]
async fn a_call_whose_arguments_are_too_long_is_refused() {
    let host = host(PluginLimits::default().max_call_bytes(1_000)).await;
    let refused = host.call("echo", json!({ "text": "x".repeat(2_000) })).await.unwrap_err();
    assert!(matches!(refused, PluginError::TooLong { most: 1_000, .. }), "{refused}");
    assert!(refused.to_string().contains("at most 1000 are allowed"), "{refused}");
}

#[tokio::test]
async fn a_result_that_does_not_fit_ends_the_call_with_words() {
    let large = DynamicTool::from_schema("large", "Large.", json!({ "type": "object" }), async |_: Ctx, _: Value| {
        "x".repeat(2_000)
    });
    let builder =
        PluginHost::builder(Server::new("s", "1").tool(large)).limits(PluginLimits::default().max_call_bytes(1_000));
    let call = builder.start().await.unwrap().call("large", json!({})).await.unwrap();
    let outcome = call.outcome().await;
    assert!(outcome.text().contains("its result is too long"), "{outcome:?}");
    assert_eq!(call.status(), CallStatus::Failed);
}

#[tokio::test]
async fn a_long_conversation_drops_its_oldest_questions() {
    let limits = PluginLimits::default().max_call_bytes(10_000);
    let host = PluginHost::builder(Server::new("s", "1").tools(tools![asks])).limits(limits).start().await.unwrap();
    let call = host.call("asks", json!({})).await.unwrap();
    for seq in 1..=30 {
        question(&call, seq).await;
        let text = if seq == 30 { "enough".to_owned() } else { "x".repeat(500) };
        call.answer_json(seq, accept(json!({ "text": text }))).await.unwrap();
    }
    assert_eq!(call.outcome().await.text(), "done");
    let events = events(call).await;
    assert!(json!(events).to_string().len() < 12_000);
    let types = types(&events);
    assert_eq!((types.first().unwrap().as_str(), types.last().unwrap().as_str()), ("started", "finished"));
    assert!(types.iter().filter(|name| *name == "elicit").count() > 5, "{types:?}");
}

#[tokio::test]
async fn a_long_message_is_left_out_with_words() {
    let loud = DynamicTool::from_schema("loud", "Logs.", json!({ "type": "object" }), async |ctx: Ctx, _: Value| {
        ctx.log(Level::Info, "x".repeat(200_000));
        ctx.progress(1.0).message("x".repeat(200_000));
        "done"
    });
    let host = PluginHost::builder(Server::new("s", "1").tool(loud)).start().await.unwrap();
    let call = host.call("loud", json!({})).await.unwrap();
    call.outcome().await;
    let events = events(call).await;
    let TimelineEventKind::Log { data, .. } = &events[1].kind else { panic!("{events:?}") };
    assert!(data.as_str().unwrap().starts_with("left out: 200"), "{data}");
    assert!(json!(events).to_string().len() < 2_000);
}
