//! Prompts that ask their user.

use std::time::Duration;

use mcp_runtime::Revision;
use serde_json::{Value, json};

use super::service;
use crate::protocol::{
    client::{Client, modern},
    schema,
    wire::Wire,
};

#[tokio::test]
async fn a_prompt_asks_its_user_in_rounds() {
    let mut wire = Wire::memory(&service());
    let request = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": modern(params, &json!({ "elicitation": {} })) });
    let params = json!({ "name": "letter", "arguments": { "to": "Ann" } });
    let asked = wire.exchange(request("prompts/get", params.clone())).await;
    let asked = &asked["result"];
    schema::of(Revision::V2026_07_28).check("InputRequiredResult", asked);
    let questions = asked["inputRequests"].as_object().unwrap();
    let (key, question) = questions.iter().next().unwrap();
    assert_eq!(question["params"]["message"], "About what?");
    let mut answer = params;
    answer["requestState"] = asked["requestState"].clone();
    answer["inputResponses"] = json!({ key: { "action": "accept", "content": { "topic": "snow" } } });
    // A state of the prompt is not valid for the tool with the same name and arguments.
    let refused = wire.exchange(request("tools/call", answer.clone())).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    let got = wire.exchange(request("prompts/get", answer)).await;
    assert_eq!(got["result"]["messages"][0]["content"]["text"], "Write to Ann about snow.", "{got}");

    let mut client = Client::open(&service(), Revision::V2026_07_28).await;
    let error = client.error("prompts/get", json!({ "name": "letter" })).await;
    assert_eq!(error["code"], -32021);
    assert_eq!(error["data"]["requiredCapabilities"], json!({ "elicitation": { "form": {} } }));
    assert_eq!(error["message"], "The prompt `letter` needs a client that supports form elicitation");
}

#[tokio::test]
async fn a_prompt_asks_its_user_in_a_session() {
    let mut wire = Wire::session_with_forms(&service()).await;
    let params = json!({ "name": "letter", "arguments": { "to": "Ann" } });
    let question = wire.exchange(json!({ "jsonrpc": "2.0", "id": 2, "method": "prompts/get", "params": params }));
    let question = question.await;
    assert_eq!(question["method"], "elicitation/create", "{question}");
    let answer = json!({ "action": "accept", "content": { "topic": "snow" } });
    let got = wire.exchange(json!({ "jsonrpc": "2.0", "id": question["id"], "result": answer })).await;
    assert_eq!(got["id"], 2);
    assert_eq!(got["result"]["messages"][0]["content"]["text"], "Write to Ann about snow.");
}

#[tokio::test]
async fn a_declined_question_is_not_an_internal_error() {
    for (action, message) in [("decline", "the user declined"), ("cancel", "the user cancelled")] {
        let expected = json!({ "code": -1, "message": message });
        let answer = json!({ "action": action });
        let mut wire = Wire::session_with_forms(&service()).await;
        let params = json!({ "name": "strict_letter" });
        let request = json!({ "jsonrpc": "2.0", "id": 2, "method": "prompts/get", "params": params });
        let question = wire.exchange(request).await;
        let got = wire.exchange(json!({ "jsonrpc": "2.0", "id": question["id"], "result": answer })).await;
        assert_eq!(got["error"], expected);

        let mut wire = Wire::memory(&service());
        let request = |params: Value| json!({ "jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": modern(params, &json!({ "elicitation": {} })) });
        let asked = wire.exchange(request(params.clone())).await;
        let mut params = params;
        params["requestState"] = asked["result"]["requestState"].clone();
        params["inputResponses"] = json!({ "topic": answer });
        assert_eq!(wire.exchange(request(params)).await["error"], expected);
    }
}

#[tokio::test]
async fn a_prompt_can_be_cancelled() {
    let mut client = Client::open(&service(), Revision::V2025_11_25).await;
    let id = client.begin("prompts/get", json!({ "name": "waits" })).await;
    client.cancel(&id).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    client.works().await;
}
