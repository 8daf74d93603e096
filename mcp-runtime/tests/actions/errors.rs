//! Enriched errors: they name the value, what is allowed, and what helps.

use serde_json::{Value, json};

use crate::actions::pipelines::{Team, pipelines};

async fn error(input: Value) -> Value {
    pipelines().state(Team("red")).handle(input).await["error"].clone()
}

/// Returns the problems of a call, each as its kind and its message.
async fn problems(action: &str, params: Value) -> Vec<(String, String)> {
    let error = error(json!({ "action": action, "params": params })).await;
    assert_eq!(error["kind"], "invalid_params", "{error}");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let problems = error["problems"].as_array().unwrap();
    for problem in problems {
        assert!(error["message"].as_str().unwrap().contains(problem["message"].as_str().unwrap()));
    }
    problems.iter().map(|problem| (text(&problem["problem"]), text(&problem["message"]))).collect()
}

#[tokio::test]
async fn an_unknown_action_gets_the_nearest_and_the_list() {
    let error = error(json!({ "action": "strat" })).await;
    assert_eq!(error["kind"], "unknown_action");
    assert_eq!(error["did_you_mean"], "start");
    assert_eq!(error["known"], json!(["runs", "status", "start", "greet", "no-op", "panics", "asks", "describe"]));
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with("unknown action 'strat'. Did you mean 'start'? The known names are: runs, status"));
}

#[tokio::test]
async fn each_kind_of_problem_has_its_words() {
    for (params, kind, message) in [
        (
            json!({ "pipeline": "research", "depth": "standard" }),
            "value",
            "`depth` must be one of: xs, s, m, l (got 'standard'). Hint: Use xs for fast drafts.",
        ),
        (
            json!({ "pipeline": "research" }),
            "missing",
            "`depth` is required: one of: xs, s, m, l. Hint: Use xs for fast drafts.",
        ),
        (json!({ "pipeline": 7, "depth": "m" }), "type", "`pipeline` must be a string (got 7)"),
        (
            json!({ "pipeline": "x", "depth": "m", "inptus": {} }),
            "unknown",
            "`inptus` is not a parameter; did you mean `inputs`?",
        ),
    ] {
        assert_eq!(problems("start", params).await, [(kind.to_owned(), message.to_owned())]);
    }
    let range = problems("runs", json!({ "limit": 90 })).await;
    let message = "`limit` must be between 1 and 50 (got 90). Hint: Ask for few.";
    assert_eq!(range, [("range".to_owned(), message.to_owned())]);
    let none = problems("no-op", json!({ "x": 1 })).await;
    assert_eq!(none, [("unknown".to_owned(), "`x` is not a parameter; this action has no parameters".to_owned())]);
}

#[tokio::test]
async fn several_problems_are_reported_at_once() {
    let found = problems("start", json!({ "depth": "mm", "inputz": 1 })).await;
    let kinds: Vec<_> = found.iter().map(|(kind, _)| &**kind).collect();
    assert_eq!(kinds, ["value", "unknown", "missing"]);
}

#[tokio::test]
async fn problems_are_data_too() {
    let error = error(json!({ "action": "runs", "params": { "limit": 90 } })).await;
    let problem = &error["problems"][0];
    assert_eq!((&problem["got"], &problem["minimum"], &problem["maximum"]), (&json!(90), &json!(1), &json!(50)));
    assert_eq!((&problem["param"], &problem["hint"]), (&json!("limit"), &json!("Ask for few.")));
}

#[tokio::test]
async fn parameters_of_things_are_explained_with_the_same_words() {
    let inputs = json!({ "pages": 12, "tone": "cold", "topc": "tea" });
    let params = json!({ "pipeline": "research", "depth": "m", "inputs": inputs });
    let error = error(json!({ "action": "start", "params": params })).await;
    let messages: Vec<_> = error["problems"].as_array().unwrap().iter().map(|problem| &problem["message"]).collect();
    assert_eq!(
        messages,
        [
            "`pages` must be between 1 and 9 (got 12)",
            "`tone` must be one of: dry, warm (got 'cold'). Hint: Warm is longer.",
            "`topc` is not a parameter; did you mean `topic`?",
            "`topic` is required: a string",
        ]
    );
}

#[tokio::test]
async fn an_input_of_another_form_is_explained() {
    for (input, message) in [
        (json!({ "params": {} }), "`action` is required: one of: runs, status"),
        (json!({ "acton": "runs" }), "did you write it as `acton`?"),
        (json!({ "action": 1 }), "`action` must be one of: runs"),
        (json!({ "action": "runs", "params": [1] }), "`params` must be an object (got [1])"),
        (json!({ "action": "runs", "params": "limit=1" }), "`params` must be an object (got 'limit=1')"),
        (json!({ "action": "runs", "limit": 1 }), r#"{"action": "runs", "params": {"limit": …}}"#),
    ] {
        let error = error(input).await;
        assert_eq!(error["kind"], "invalid_input");
        assert!(error["message"].as_str().unwrap().contains(message), "{error}");
    }
}

#[tokio::test]
async fn an_action_that_fails_names_itself() {
    let error = error(json!({ "action": "status", "params": { "id": 9 } })).await;
    assert_eq!(error, json!({ "kind": "failed", "action": "status", "message": "there is no run 9" }));
}
