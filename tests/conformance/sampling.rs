//! Questions to a model, alone and together with a form, and the results of its replies.

use conformance::server;
use mcp_runtime::{
    Revision, in_every_mode,
    testing::{Client, Question},
};
use serde_json::{Value, json};

use crate::conformance::{checked, raw::Raw, service, text};

const ALL: [Revision; 5] =
    [Revision::V2024_11_05, Revision::V2025_03_26, Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28];
const SAMPLING: &str = "test_input_required_result_sampling";
const MULTIPLE_INPUTS: &str = "test_input_required_result_multiple_inputs";
const CAPABILITIES: &str = "test_input_required_result_capabilities";

/// Returns the `params` of a question with this text and this limit of tokens.
fn prompt(text: &str, max_tokens: u32) -> Value {
    json!({ "messages": [{ "role": "user", "content": { "type": "text", "text": text } }], "maxTokens": max_tokens })
}

fn alice() -> Value {
    json!({ "action": "accept", "content": { "name": "Alice" } })
}

fn roots() -> Value {
    json!({ "roots": [{ "uri": "file:///test/root", "name": "Test Root" }] })
}

fn hello() -> Value {
    let content = json!({ "type": "text", "text": "Hello" });
    json!({ "role": "assistant", "content": content, "model": "test-model", "stopReason": "endTurn" })
}

#[tokio::test]
async fn asks_the_model_and_returns_its_reply() {
    for revision in ALL {
        let mut client = Client::new(&service(), revision);
        let question = "Test prompt for sampling";
        let outcome = client.call("test_sampling", json!({ "prompt": question })).sampled("It works.").await;
        let [asked] = outcome.asked() else { panic!("{:?}", outcome.asked()) };
        assert_eq!((asked.method(), asked.params()), ("sampling/createMessage", &prompt(question, 100)), "{revision}");
        assert_eq!(checked(revision, &outcome), text("LLM response: It works."));
    }
}

#[tokio::test]
async fn rejects_a_client_without_sampling() {
    let prompt = json!({ "prompt": "Anybody?" });
    let mut session = Client::new(&service(), Revision::V2025_11_25).without_sampling();
    let outcome = session.call("test_sampling", &prompt).await;
    assert!(outcome.is_error() && outcome.asked().is_empty());
    assert!(outcome.text().contains("needs a client that supports sampling"), "{}", outcome.text());

    let mut client = Client::modern(&service()).without_sampling();
    let outcome = client.call("test_sampling", &prompt).await;
    let error = outcome.error().expect("nothing can be asked");
    assert_eq!((error.code, &error.data["requiredCapabilities"]), (-32021, &json!({ "sampling": {} })));
}

#[tokio::test]
async fn accepts_a_reply_in_the_next_request() {
    let mut client = Raw::new(&service());
    let (params, state) = client.asks(SAMPLING, json!({}), "capital_question").await;
    assert_eq!(params, prompt("What is the capital of France?", 100));
    let reply = json!({
        "role": "assistant",
        "content": { "type": "text", "text": "The capital of France is Paris." },
        "model": "test-model",
        "stopReason": "endTurn",
    });
    let responses = json!({ "capital_question": reply });
    let told = "The model says: The capital of France is Paris.";
    let answer = json!({ "inputResponses": responses, "requestState": state });
    assert_eq!(client.tells(SAMPLING, answer).await, told);
    assert_eq!(client.tells(SAMPLING, json!({ "inputResponses": responses })).await, told);
}

#[tokio::test]
async fn asks_user_model_and_client_concurrently() {
    let mut client = Raw::new(&service());
    let response = client.call(MULTIPLE_INPUTS, json!({})).await;
    let result = &response["result"];
    let asked = &result["inputRequests"];
    assert_eq!(asked.as_object().unwrap().len(), 3, "{asked}");
    assert_eq!(asked["user_name"]["params"]["message"], "What is your name?");
    let greeting = json!({ "method": "sampling/createMessage", "params": prompt("Generate a greeting", 50) });
    assert_eq!(asked["greeting"], greeting);
    assert_eq!(asked["client_roots"]["method"], "roots/list");

    // Two answers are not three: what is missing is asked again.
    let two = json!({ "user_name": alice(), "client_roots": roots() });
    let some = json!({ "inputResponses": two, "requestState": result["requestState"] });
    let (params, state) = client.asks(MULTIPLE_INPUTS, some, "greeting").await;
    assert_eq!(params, prompt("Generate a greeting", 50));
    let last = json!({ "inputResponses": { "greeting": hello() }, "requestState": state });
    assert_eq!(client.tells(MULTIPLE_INPUTS, last).await, "Hello, Alice! You work in: file:///test/root");
}

#[tokio::test]
async fn asks_only_what_the_client_supports() {
    for (capabilities, methods, told) in [
        (json!({}), vec![], "The client supports no questions."),
        (json!({ "sampling": {} }), vec!["sampling/createMessage"], "The model says: Hello"),
        (json!({ "elicitation": {} }), vec!["elicitation/create"], "The user is Alice."),
        (json!({ "roots": {} }), vec!["roots/list"], "The client works in 1 folders."),
    ] {
        for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
            let mut client = Client::new(&service(), revision).capabilities(capabilities.clone());
            let mut call = client.call(CAPABILITIES, ());
            for method in &methods {
                call = match *method {
                    "elicitation/create" => call.answer(alice()),
                    "roots/list" => call.answer(roots()),
                    _ => call.answer(hello()),
                };
            }
            let outcome = call.await;
            assert_eq!(outcome.asked().iter().map(Question::method).collect::<Vec<_>>(), methods);
            assert_eq!(checked(revision, &outcome), text(told));
        }
    }
}

#[tokio::test]
async fn the_replies_are_the_same_in_every_mode() {
    in_every_mode!(|mode| {
        let mut client = mode.client(server);
        let repeated = client.call("test_sampling", json!({ "prompt": "Say it." })).sampled("It.").await;
        assert_eq!(repeated.text(), "LLM response: It.");
        let capital = client.call(SAMPLING, ()).sampled("Paris").await;
        assert_eq!(capital.text(), "The model says: Paris");
    });
}
