//! Who may see a call, and how many there may be.

use mcp_runtime::{
    Elicited,
    plugin::{CallStatus, PluginError, PluginHost, PluginLimits},
    prelude::*,
};
use serde_json::json;

use crate::plugin::support::{Kitchen, Order, Pick, host, question, server};

#[tokio::test]
async fn a_call_belongs_to_its_owner() {
    let host = host(&Kitchen::default()).await;
    let ann = host.call_as("ann", "order", json!({ "dishes": 1 })).await.unwrap();
    question(&ann, 1).await;
    let id = ann.id().to_owned();
    assert!(host.find_as("ann", &id).await.is_ok());
    assert!(matches!(host.find_as("bob", &id).await, Err(PluginError::UnknownCall)));
    assert!(matches!(host.find(&id).await, Err(PluginError::UnknownCall)));
    assert!(host.open_calls().is_empty() && host.open_calls_as("bob").is_empty());
    assert_eq!(host.open_calls_as("ann").len(), 1);
    ann.answer(1, Elicited::<Pick>::Decline).await.unwrap();
    ann.outcome().await;
    assert!(host.open_calls_as("ann").is_empty());
    assert!(host.find_as("ann", &id).await.is_ok());
}

#[tokio::test]
async fn each_owner_and_all_owners_together_have_a_limit() {
    let builder = PluginHost::builder(server(&Kitchen::default()).tool(Order));
    let host =
        builder.limits(PluginLimits::default().max_open_calls_per_owner(2).max_open_calls(3)).start().await.unwrap();
    let arguments = json!({ "dishes": 1 });
    let first = host.call_as("ann", "order", &arguments).await.unwrap();
    host.call_as("ann", "order", &arguments).await.unwrap();
    let refused = host.call_as("ann", "order", &arguments).await.unwrap_err();
    assert!(matches!(refused, PluginError::TooManyCalls(2)), "{refused}");
    host.call("order", &arguments).await.unwrap();
    assert!(matches!(host.call("order", &arguments).await, Err(PluginError::Full)));
    first.cancel();
    first.outcome().await;
    host.call_as("ann", "order", &arguments).await.unwrap();
}

/// Rings the bell.
#[mcp_tool]
async fn ring() -> String {
    "ding".to_owned()
}

#[tokio::test]
async fn a_call_that_ends_at_once_is_refused_at_the_limit_and_never_counts() {
    let builder = PluginHost::builder(server(&Kitchen::default()).tool(Order).tools(tools![ring]));
    let host = builder.limits(PluginLimits::default().max_open_calls_per_owner(1)).start().await.unwrap();
    for _ in 0..2 {
        let rang = host.call_as("ann", "ring", json!({})).await.unwrap();
        assert!(host.open_calls_as("ann").is_empty());
        assert_eq!(rang.outcome().await.text(), "ding");
        assert_eq!(host.find_as("ann", rang.id()).await.unwrap().status(), CallStatus::Finished);
    }
    let waits = host.call_as("ann", "order", json!({ "dishes": 1 })).await.unwrap();
    assert_eq!(host.open_calls_as("ann").len(), 1);
    let refused = host.call_as("ann", "ring", json!({})).await.unwrap_err();
    assert!(matches!(refused, PluginError::TooManyCalls(1)), "{refused}");
    waits.cancel();
    waits.outcome().await;
    host.call_as("ann", "ring", json!({})).await.unwrap();
}

#[tokio::test]
async fn an_unknown_tool_and_wrong_arguments_are_refused_at_once() {
    let host = host(&Kitchen::default()).await;
    let refused = host.call("ordr", json!({})).await.unwrap_err();
    assert_eq!(refused.to_string(), "there is no tool `ordr`; did you mean `order`?");
    assert!(matches!(host.call("order", json!([1])).await, Err(PluginError::InvalidArguments)));
    assert!(host.plugin("ordr").is_none());
}

#[tokio::test]
async fn a_key_begins_one_call() {
    let kitchen = Kitchen::default();
    let host = host(&kitchen).await;
    let begin = |owner, key| host.call_once_as(owner, key, "order", json!({ "dishes": 1 }));
    let (first, again) = tokio::join!(begin("ann", "turn-1"), begin("ann", "turn-1"));
    let (first, again) = (first.unwrap(), again.unwrap());
    assert_eq!(first.id(), again.id());
    let others = [begin("ann", "turn-2").await.unwrap(), begin("bob", "turn-1").await.unwrap()];
    assert!(others.iter().all(|other| other.id() != first.id()));
    question(&first, 1).await;
    first.cancel();
    first.outcome().await;
    assert_eq!(begin("ann", "turn-1").await.unwrap().id(), first.id());
    question(&others[0], 1).await;
    question(&others[1], 1).await;
    assert_eq!(kitchen.counts(), (3, 0));
}
