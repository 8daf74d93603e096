//! Dispatch is tested without MCP: `handle` takes a value and returns a value.

use serde_json::{Value, json};

use crate::actions::pipelines::{Team, pipelines};

#[tokio::test]
async fn handle_takes_a_value_and_returns_a_value() {
    let pipelines = pipelines().state(Team("red"));
    let status = pipelines.handle(json!({ "action": "status", "params": { "id": 1 } })).await;
    let run = json!({ "id": 1, "pipeline": "research", "depth": "m", "trace": [] });
    assert_eq!(status, json!({ "action": "status", "result": run }));
    let nothing = pipelines.handle(json!({ "action": "no-op" })).await;
    assert_eq!(nothing, json!({ "action": "no-op", "result": null }));
}

#[tokio::test]
async fn an_alias_runs_its_action_and_can_set_a_parameter() {
    let pipelines = pipelines().state(Team("red"));
    let call = async |action: &str, params| pipelines.handle(json!({ "action": action, "params": params })).await;
    let result = call("result", json!({ "id": 1 })).await;
    assert_eq!(result["action"], "status");
    assert_eq!(result["result"]["trace"], json!(["read", "sorted"]));
    assert_eq!(call("show", json!({ "id": 1 })).await["result"]["trace"], json!([]));
    let overridden = call("result", json!({ "id": 1, "include_trace": false })).await;
    assert_eq!(overridden["result"]["trace"], json!([]));
}

#[tokio::test]
async fn params_in_a_string_are_read_with_a_warning() {
    let pipelines = pipelines().state(Team("red"));
    let answer = pipelines.handle(json!({ "action": "status", "params": r#"{"id": 1}"# })).await;
    assert_eq!(answer["result"]["id"], 1);
    assert_eq!(answer["warnings"], json!(["`params` was a string that holds JSON; send it as an object"]));
}

#[tokio::test]
async fn handle_needs_the_state_that_actions_take() {
    let missing = pipelines().handle(json!({ "action": "no-op" })).await;
    let message = missing["error"]["message"].as_str().unwrap();
    assert!(message.contains("but the server has no state of this type; add `.state(…)`"), "{message}");
    let pipelines = pipelines().state(Team("red"));
    assert_eq!(pipelines.handle(json!({ "action": "greet" })).await["result"], "hello red");
}

#[tokio::test]
async fn an_action_that_asks_fails_without_a_client() {
    let answer = pipelines().state(Team("red")).handle(json!({ "action": "asks" })).await;
    let message = answer["error"]["message"].as_str().unwrap();
    assert_eq!(message, "The tool `pipelines` needs a client that supports form elicitation");
}

#[tokio::test]
async fn null_means_left_out_and_json_in_a_string_is_read() {
    let pipelines = pipelines().state(Team("red"));
    let runs = |limit: Value| pipelines.handle(json!({ "action": "runs", "params": { "limit": limit } }));
    let all = pipelines.handle(json!({ "action": "runs" })).await;
    assert!(all["error"].is_null(), "{all}");
    assert_eq!(runs(json!(null)).await, all);
    assert_eq!(runs(json!("10")).await, all);
    let error = runs(json!("90")).await["error"]["message"].to_string();
    assert!(error.contains("(got '90')"), "{error}");
}
