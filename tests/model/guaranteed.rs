//! Text and guaranteed values from a real model. A call returns a valid value, or an error with the reason.

use std::time::Duration;

use mcp_runtime::{
    Revision,
    providers::Model,
    testing::{Client, Outcome},
};
use serde_json::json;

use crate::model::{
    support::*,
    tools::{Move, Outcome as Chosen, service},
};

async fn call(model: Model, tool: &str, revision: Revision) -> Outcome {
    let service = service(model);
    let mut client = Client::new(&service, revision).without_sampling().limit(Duration::from_secs(2000));
    client.call(tool, json!({})).await
}

/// Returns the value, or checks the error after the last try.
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
async fn samples_text_in_every_era() {
    for revision in [Revision::V2025_06_18, Revision::V2026_07_28] {
        let outcome = call(free(), "greet", revision).await;
        assert!(!outcome.is_error() && !outcome.text().is_empty(), "{}", outcome.text());
    }
}

/// Requests the value with a schema, with a tool that has this schema, and in words.
#[tokio::test]
#[ignore = "needs a model: `.ci/model`"]
async fn a_constrained_model_gives_a_value_at_once() {
    for model in [guided(), guided().without_schema()] {
        let outcome = call(model, "pick", Revision::V2026_07_28).await;
        let chosen = held(&outcome, "sample_schema").unwrap_or_else(|| panic!("{}", outcome.text()));
        is_a_move(&chosen);
        assert_eq!(chosen.attempts, 1);
    }
}

/// Requests the calls with native tools, and with a schema of calls.
#[tokio::test]
#[ignore = "needs a model: `.ci/model`"]
async fn a_constrained_model_calls_a_tool_at_once() {
    for model in [guided(), guided().without_tools()] {
        let outcome = call(model, "choose", Revision::V2025_06_18).await;
        let chosen = held(&outcome, "sample_tools").unwrap_or_else(|| panic!("{}", outcome.text()));
        is_a_strategy(&chosen);
        assert_eq!(chosen.attempts, 1);
    }
}

/// The call ends, whether the reply improves after the corrections or not.
#[tokio::test]
#[ignore = "needs a model: `.ci/model`"]
async fn never_accepts_an_invalid_reply_of_an_unconstrained_model() {
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
