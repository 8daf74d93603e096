//! A single tool with `action` and `params`, as clients see it.

use mcp_runtime::{Revision, Server, Service, prelude::*, testing::Client};
use serde_json::{Value, json};

use crate::actions::pipelines::{Name, Team, pipelines};

fn service() -> Service {
    Server::new("s", "1.0.0").state(Team("blue")).tool(pipelines()).build().unwrap()
}

#[test]
fn single_tool_with_action_and_params() {
    let manifest = service().manifest();
    assert_eq!(manifest["tools"].as_array().unwrap().len(), 1);
    let tool = &manifest["tools"][0];
    assert_eq!((&tool["name"], &tool["description"]), (&json!("pipelines"), &json!("Runs data pipelines.")));
    let schema = tool["inputSchema"].as_object().unwrap();
    for keyword in ["oneOf", "anyOf", "allOf", "$defs"] {
        assert!(!schema.contains_key(keyword), "{keyword}");
    }
    let properties = schema["properties"].as_object().unwrap();
    assert_eq!(properties.keys().collect::<Vec<_>>(), ["action", "params"]);
    let names = json!(["runs", "status", "start", "greet", "no-op", "panics", "asks", "describe"]);
    assert_eq!(properties["action"]["enum"], names);
    assert_eq!(properties["params"]["type"], "object");
    let lines = properties["action"]["description"].as_str().unwrap();
    assert!(lines.contains("\n- runs: Lists the runs\n- status: Returns a run\n"), "{lines}");
    for alias in ["show", "result"] {
        assert!(!tool.to_string().contains(&format!("\"{alias}\"")), "{tool}");
    }
}

#[tokio::test]
async fn structured_results_without_double_encoding() {
    let service = service();
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&service, revision);
        let answer = client.call("pipelines", json!({ "action": "status", "params": { "id": 1 } })).await;
        let run = json!({ "id": 1, "pipeline": "research", "depth": "m", "trace": [] });
        let structured = answer.structured_content().unwrap();
        assert_eq!(structured, &json!({ "action": "status", "result": run }));
        // The text block is the same JSON once, for clients that do not read structured content.
        assert_eq!(serde_json::from_str::<Value>(&answer.text()).unwrap(), *structured);
    }
}

#[tokio::test]
async fn the_tool_answers_as_handle_does() {
    let (service, pipelines) = (service(), pipelines().state(Team("blue")));
    for input in [
        json!({ "action": "runs" }),
        json!({ "action": "greet" }),
        json!({ "action": "no-op", "params": "{}" }),
        json!({ "action": "describe", "params": { "action": "start" } }),
        json!({ "action": "strat" }),
        json!({ "action": "runs", "params": { "limit": 0 } }),
        json!({ "action": "status", "params": { "id": 2 } }),
        json!({ "wrong": true }),
    ] {
        let mut client = Client::new(&service, Revision::V2026_07_28);
        let answer = client.call("pipelines", input.clone()).await;
        let handled = pipelines.handle(input).await;
        assert_eq!(answer.structured_content(), Some(&handled));
        assert_eq!(answer.is_error(), handled.get("error").is_some());
    }
}

#[tokio::test]
async fn a_text_is_sent_as_text() {
    let service = service();
    let mut client = Client::new(&service, Revision::V2025_11_25);
    let answer = client.call("pipelines", json!({ "action": "greet", "params": "{}" })).await;
    assert_eq!(answer.result()["content"][0]["text"], "hello blue");
    assert!(answer.result()["content"][1]["text"].as_str().unwrap().starts_with("`params` was a string"));
}

#[tokio::test]
async fn an_action_can_ask_and_log() {
    let service = service();
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&service, revision);
        let asked = client.call("pipelines", json!({ "action": "asks" })).accept(Name { name: "Ann".into() }).await;
        assert_eq!(asked.structured_content().unwrap()["result"], "Ann");
        let params = json!({ "pipeline": "research", "depth": "m", "inputs": { "topic": "tea" } });
        let started = client.call("pipelines", json!({ "action": "start", "params": params })).await;
        assert_eq!(started.logs()[0].data, "starting");
        assert_eq!(started.structured_content().unwrap()["result"]["inputs"], json!({ "topic": "tea", "pages": 3 }));
    }
}

#[tokio::test]
async fn clients_that_cannot_ask_can_call_the_other_actions() {
    let service = service();
    let mut client = Client::new(&service, Revision::V2026_07_28).capabilities(json!({}));
    let answer = client.call("pipelines", json!({ "action": "no-op" })).await;
    assert!(!answer.is_error());
}

#[test]
fn mistakes_of_the_author_are_errors_of_build() {
    struct Wrong;

    /// Does nothing.
    #[mcp_actions]
    impl Wrong {
        /// Waits.
        #[action(alias("later", seconds = "ten"), alias("soon", seconds = 700))]
        async fn wait(&self, #[schemars(range(max = 60))] seconds: u32) -> String {
            seconds.to_string()
        }
    }

    let error = Server::new("s", "1.0.0").tool(Wrong.into_actions()).build().unwrap_err().to_string();
    assert!(error.contains("tool `wrong`: action `wait`: alias `later`: `seconds`: got \"ten\""), "{error}");
    assert!(error.contains("alias `soon`: `seconds`: got 700, must be between 0 and 60"), "{error}");
}
