//! Operations as actions of one tool.

use mcp_runtime::{openapi, openapi::Api, testing::Client};
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

use super::{KEY, called, part, requests, server, service};

fn api(url: &str) -> Api {
    openapi!(
        "api.json",
        actions(parts = ["findParts", "addPart", "GET /parts/{name}", "changePart"]),
        rename("findParts" = "find", "addPart" = "add"),
    )
    .base_url(format!("{url}/v1"))
    .credential("key", KEY.to_owned())
}

#[test]
fn a_group_is_one_tool_where_its_first_operation_stands() {
    let tools = service(api("http://h")).manifest()["tools"].clone();
    let names: Vec<_> = tools.as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["parts", "get_photo", "get_report"]);
    let actions = &tools[0]["inputSchema"]["properties"]["action"]["enum"];
    assert_eq!(*actions, json!(["find", "add", "get_part", "change_part", "describe"]));
    assert_eq!(tools[0]["description"], "Operations of Parts.");
    assert_eq!(tools[0]["annotations"]["openWorldHint"], true);
    assert!(tools[0]["annotations"].get("readOnlyHint").is_none());
}

#[tokio::test]
async fn an_action_sends_the_request_of_its_operation() {
    let server = server(part()).await;
    let mut client = Client::modern(&service(api(&server.uri())));
    let found = client.call("parts", json!({ "action": "find", "params": { "tag": ["a"] } })).await;
    let result = json!({ "action": "find", "result": { "name": "bolt", "size": 3 } });
    assert_eq!(found.structured::<Value>(), result);
    client.call("parts", json!({ "action": "add", "params": { "name": "nut" } })).await;
    let requests = requests(&server).await;
    assert_eq!((requests[0].url.path(), requests[0].url.query()), ("/v1/parts", Some("tag=a")));
    assert_eq!(requests[0].headers["x-key"], KEY);
    assert_eq!(requests[1].body_json::<Value>().unwrap(), json!({ "name": "nut" }));
}

#[tokio::test]
async fn describe_shows_the_parameters() {
    let mut client = Client::modern(&service(api("http://h")));
    let described = client.call("parts", json!({ "action": "describe", "params": { "action": "add" } })).await;
    let shown = described.structured::<Value>()["result"].clone();
    assert_eq!(shown["description"], "Adds a part.");
    assert_eq!((&shown["params"][0]["name"], &shown["params"][0]["required"]), (&json!("name"), &json!(true)));
    assert_eq!(shown["params"][1]["type"], "integer");
}

#[tokio::test]
async fn wrong_parameters_are_refused_before_a_request() {
    let server = server(part()).await;
    let (failed, text) = called(api(&server.uri()), "parts", json!({ "action": "add", "params": { "sise": 2 } })).await;
    assert!(failed && text.contains("`sise` is not a parameter; did you mean `size`?"), "{text}");
    assert!(text.contains("`name` is required"), "{text}");
    let (failed, text) = called(api(&server.uri()), "parts", json!({ "action": "ad" })).await;
    assert!(failed && text.contains("unknown action 'ad'. Did you mean 'add'?"), "{text}");
    assert!(requests(&server).await.is_empty());
}

#[tokio::test]
async fn a_failure_of_the_service_is_that_of_the_action() {
    let refusal = ResponseTemplate::new(404).set_body_json(json!({ "message": format!("no part for {KEY}") }));
    let server = server(refusal).await;
    let input = json!({ "action": "get_part", "params": { "name": "nut" } });
    let mut client = Client::modern(&service(api(&server.uri())));
    let failed = client.call("parts", input).await;
    assert!(failed.is_error() && failed.text().contains("404 Not Found: no part for ***"), "{}", failed.text());
    assert_eq!(failed.structured::<Value>()["error"]["action"], "get_part");
}

#[tokio::test]
async fn members_that_begin_with_an_underscore_are_those_of_the_service() {
    let server = server(ResponseTemplate::new(200).set_body_json(json!({ "name": "nut", "_id": 7 }))).await;
    let input = json!({ "action": "get_part", "params": { "name": "nut" } });
    let (failed, text) = called(api(&server.uri()), "parts", input).await;
    assert_eq!((failed, text.as_str()), (false, r#"{"action":"get_part","result":{"name":"nut","_id":7}}"#));
}

#[test]
fn the_credentials_of_actions_are_settings() {
    let settings = service(openapi!("api.json", actions(parts = ["findParts"])).base_url("http://h"));
    assert_eq!(settings.setting_definitions().len(), 4);
}
