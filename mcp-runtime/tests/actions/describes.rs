//! `describe` shows all actions in brief, one in full, and the entries of the catalog.

use serde_json::{Value, json};

use crate::actions::pipelines::{Team, pipelines};

async fn describe(params: Value) -> Value {
    pipelines().state(Team("red")).handle(json!({ "action": "describe", "params": params })).await
}

#[tokio::test]
async fn describe_shows_all_actions_in_brief() {
    let brief = &describe(json!({})).await["result"];
    assert_eq!(brief["actions"][0], json!({ "action": "runs", "summary": "Lists the runs" }));
    let names: Vec<_> = brief["actions"].as_array().unwrap().iter().map(|action| &action["action"]).collect();
    assert_eq!(names, ["runs", "status", "start", "greet", "no-op", "panics", "asks", "describe"]);
    assert_eq!(brief["names"], json!([{ "name": "research", "summary": "Researches a topic." }]));
    assert!(brief["next"].as_str().unwrap().contains(r#"{"action":"describe","params":{"action":"runs"}}"#));
}

#[tokio::test]
async fn describe_shows_one_action_in_full() {
    let runs = &describe(json!({ "action": "runs" })).await["result"];
    assert_eq!(
        runs,
        &json!({
            "action": "runs",
            "description": "Lists the runs. The newest comes first.",
            "params": [{
                "name": "limit", "type": "integer", "required": false, "default": 10, "range": "between 1 and 50",
                "description": "How many runs.", "hint": "Ask for few.",
            }],
            "example": { "action": "runs", "params": {} },
        })
    );
    let start = &describe(json!({ "action": "start" })).await["result"];
    assert_eq!(
        start["params"][1],
        json!({
            "name": "depth", "type": "string", "required": true, "values": ["xs", "s", "m", "l"],
            "hint": "Use xs for fast drafts.",
        })
    );
    assert_eq!(start["params"][2]["required"], false);
}

#[tokio::test]
async fn the_example_of_each_action_passes_its_check() {
    let pipelines = pipelines().state(Team("red"));
    for action in ["runs", "status", "start", "greet", "no-op"] {
        let described = pipelines.handle(json!({ "action": "describe", "params": { "action": action } })).await;
        let answer = pipelines.handle(described["result"]["example"].clone()).await;
        assert!(answer["error"]["kind"].as_str().is_none_or(|kind| kind == "failed"), "{answer}");
    }
}

#[tokio::test]
async fn describe_knows_aliases_and_itself() {
    assert_eq!(describe(json!({ "action": "result" })).await["result"]["action"], "status");
    let itself = describe(json!({ "action": "describe" })).await;
    let names: Vec<_> = itself["result"]["params"].as_array().unwrap().iter().map(|param| &param["name"]).collect();
    assert_eq!(names, ["action", "name"]);
}

#[tokio::test]
async fn describe_shows_things_whose_parameters_are_known_at_run_time() {
    let research = &describe(json!({ "name": "research" })).await["result"];
    assert_eq!(research["summary"], "Researches a topic");
    assert_eq!(
        research["params"],
        json!([
            { "name": "topic", "type": "string", "required": true },
            { "name": "pages", "type": "integer", "required": false, "default": 3, "range": "between 1 and 9" },
            { "name": "tone", "type": "string", "required": false, "values": ["dry", "warm"], "hint": "Warm is longer." },
        ])
    );
    let unknown = &describe(json!({ "name": "reserch" })).await["error"];
    assert_eq!(unknown["message"], "unknown name 'reserch'. Did you mean 'research'? The known names are: research");
}

#[tokio::test]
async fn describe_rejects_other_parameters() {
    for (params, message) in [
        (json!({ "what": 1 }), "`what` is not a parameter of 'describe', which takes `action` and `name`"),
        (json!({ "action": 1 }), "`action` must be a string (got 1)"),
        (json!({ "action": "runs", "name": "x" }), "'describe' takes `action` or `name`, not both"),
    ] {
        assert_eq!(describe(params).await["error"]["message"], message);
    }
}
