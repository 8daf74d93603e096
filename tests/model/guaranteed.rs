//! What tools get of it: text, and what is guaranteed, or an error that says why not.

use std::time::Duration;

use mcp_runtime::{
    Revision,
    providers::Model,
    testing::{Client, Outcome},
};
use serde_json::json;

use crate::{
    support::*,
    tools::{Move, Outcome as Chosen, service},
};

async fn call(model: Model, tool: &str, revision: Revision) -> Outcome {
    let service = service(model);
    let mut client = Client::new(&service, revision).without_sampling().limit(Duration::from_secs(400));
    client.call(tool, json!({})).await
}

/// A guarantee: a value, or the tries that were made and what was wrong with the last.
fn held(outcome: &Outcome, method: &str) -> Option<Chosen> {
    if outcome.is_error() {
        let text = outcome.text();
        assert!(text.starts_with(&format!("`{method}` got no valid reply (attempts: 3); last error:")), "{text}");
        return None;
    }
    let chosen: Chosen = outcome.structured();
    assert!((1..=3).contains(&chosen.attempts));
    Some(chosen)
}

fn is_a_move(chosen: &Chosen) {
    let Move { cell, .. } = serde_json::from_str(&chosen.value).expect("a move");
    assert!(cell <= 8);
}

fn is_a_strategy(chosen: &Chosen) {
    let value: serde_json::Value = serde_json::from_str(&chosen.value).expect("JSON");
    let strength = value.pointer("/Defend/strength").and_then(serde_json::Value::as_u64);
    let attacks = value.pointer("/Attack/reason").is_some_and(serde_json::Value::is_string);
    assert!(attacks || strength.is_some_and(|strength| (1..=5).contains(&strength)), "{value}");
}

#[tokio::test]
#[ignore = "needs a model: `.ci/model`"]
async fn text_comes_in_every_era() {
    for revision in [Revision::V2025_06_18, Revision::V2026_07_28] {
        let outcome = call(free(), "greet", revision).await;
        assert!(!outcome.is_error() && !outcome.text().is_empty(), "{}", outcome.text());
    }
}

/// By the schema, by a tool of that schema, and in words.
#[tokio::test]
#[ignore = "needs a model: `.ci/model`"]
async fn a_model_that_is_held_to_it_gives_a_value_at_once() {
    for model in [guided(), guided().without_schema()] {
        let outcome = call(model, "pick", Revision::V2026_07_28).await;
        let chosen = held(&outcome, "sample_schema").unwrap_or_else(|| panic!("{}", outcome.text()));
        is_a_move(&chosen);
        assert_eq!(chosen.attempts, 1);
    }
}

/// By the tools, and by a schema of calls.
#[tokio::test]
#[ignore = "needs a model: `.ci/model`"]
async fn a_model_that_is_held_to_it_calls_a_tool_at_once() {
    for model in [guided(), guided().without_tools()] {
        let outcome = call(model, "choose", Revision::V2025_06_18).await;
        let chosen = held(&outcome, "sample_tools").unwrap_or_else(|| panic!("{}", outcome.text()));
        is_a_strategy(&chosen);
        assert_eq!(chosen.attempts, 1);
    }
}

/// It is told what was wrong, and gets better or does not; either way there is an end.
#[tokio::test]
#[ignore = "needs a model: `.ci/model`"]
async fn a_model_that_writes_what_it_likes_is_asked_again_and_never_believed() {
    for model in [free(), free().without_schema().without_tools()] {
        let outcome = call(model.clone(), "pick", Revision::V2026_07_28).await;
        if let Some(chosen) = held(&outcome, "sample_schema") {
            is_a_move(&chosen);
        }
        let outcome = call(model, "choose", Revision::V2025_06_18).await;
        if let Some(chosen) = held(&outcome, "sample_tools") {
            is_a_strategy(&chosen);
        }
    }
}
