//! Documents as services publish them: with what a model, a host or JSON Schema would reject.

use mcp_runtime::{openapi, openapi::Api, testing::Client};
use serde_json::{Value, json};
use wiremock::{MockServer, Request, ResponseTemplate};

use super::{called, requests, server, service};

fn api(url: String) -> Api {
    openapi!("documents.json").base_url(url).credential("key", "secret-0123456789".to_owned())
}

async fn input(tool: &str) -> Value {
    let tools = Client::modern(&service(api("http://127.0.0.1:9".to_owned()))).tools().await;
    tools.iter().find(|known| known["name"] == tool).unwrap()["inputSchema"].clone()
}

/// Sends a request to a service that answers nothing.
async fn sent(server: &MockServer, tool: &str, arguments: Value) -> Request {
    let (failed, text) = called(api(server.uri()), tool, arguments).await;
    assert!(!failed, "{text}");
    requests(server).await.pop().unwrap()
}

#[tokio::test]
async fn a_document_with_rules_that_do_not_fit_has_a_schema_without_them() {
    let properties = input("find_charges").await["properties"].clone();
    assert_eq!((&properties["limit"]["minimum"], properties["limit"].get("default")), (&json!(1), None));
    assert_eq!((&properties["since"]["format"], properties["since"].get("default")), (&json!("date"), None));
    assert_eq!((properties["code"].get("pattern"), properties["code"].get("maxLength")), (None, None));
    assert_eq!(properties["place"]["pattern"], r"^(?!x)\p{L}[\w\-]+$");
}

#[tokio::test]
async fn a_property_that_a_model_cannot_name_can_be_sent() {
    let body = input("change_charge").await["properties"]["body"].clone();
    assert_eq!(body["description"], "It can also have `a[b]`, `$set`.");
    let server = server(ResponseTemplate::new(204)).await;
    let request = sent(&server, "change_charge", json!({ "body": { "a[b]": 1 } })).await;
    assert_eq!(request.body_json::<Value>().unwrap(), json!({ "a[b]": 1 }));
    assert_eq!(request.headers["content-type"], "application/json");
}

#[tokio::test]
async fn members_of_a_form_are_written_as_their_encoding_says() {
    let server = server(ResponseTemplate::new(204)).await;
    let metadata = json!({ "amount": 100, "metadata": { "amount": "5" } });
    assert_eq!(sent(&server, "add_charge", metadata).await.body, b"amount=100&metadata%5Bamount%5D=5");
    let others = json!({ "ids": [1, 2], "tags": ["a", "b"], "card": { "a": 1 } });
    let body = String::from_utf8(sent(&server, "add_charge", others).await.body).unwrap();
    let mut pairs: Vec<_> = body.split('&').collect();
    pairs.sort_unstable();
    assert_eq!(pairs, ["card=%7B%22a%22%3A1%7D", "ids=1%2C2", "tags=a", "tags=b"]);
}

#[tokio::test]
async fn a_body_of_any_text_is_plain_text() {
    let server = server(ResponseTemplate::new(204)).await;
    let request = sent(&server, "add_note", json!({ "body": "one" })).await;
    assert_eq!((&request.headers["content-type"], &request.body[..]), (&"text/plain".parse().unwrap(), &b"one"[..]));
}

#[tokio::test]
async fn only_the_server_sets_a_credential() {
    let server = server(ResponseTemplate::new(200).set_body_json(json!([]))).await;
    let (failed, _) = called(api(server.uri()), "find_charges", json!({ "api_key": "mine" })).await;
    assert!(failed);
    let request = sent(&server, "find_charges", json!({ "limit": 2 })).await;
    assert_eq!(request.url.query(), Some("limit=2&api_key=secret-0123456789"));
}

#[tokio::test]
async fn an_answer_to_head_has_no_content() {
    let server = server(ResponseTemplate::new(200)).await;
    assert_eq!(sent(&server, "check_charges", json!({})).await.method, "HEAD");
}
