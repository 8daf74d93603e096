//! Multi-round calls, with the requests of the suite and invalid ones.

use conformance::server;
use mcp_runtime::in_every_mode;
use serde_json::{Value, json};

use crate::conformance::{raw::Raw, service};

const ELICITATION: &str = "test_input_required_result_elicitation";
const REQUEST_STATE: &str = "test_input_required_result_request_state";
const TAMPERED_STATE: &str = "test_input_required_result_tampered_state";
const MULTI_ROUND: &str = "test_input_required_result_multi_round";
const LIST_ROOTS: &str = "test_input_required_result_list_roots";

fn client() -> Raw {
    Raw::new(&service())
}

fn accept(content: &Value) -> Value {
    json!({ "action": "accept", "content": content })
}

fn alice() -> Value {
    accept(&json!({ "name": "Alice" }))
}

/// Returns the `params` of a form with one field.
fn form(message: &str, field: &str, kind: &str) -> Value {
    let schema = json!({ "type": "object", "properties": { field: { "type": kind } }, "required": [field] });
    json!({ "mode": "form", "message": message, "requestedSchema": schema })
}

#[tokio::test]
async fn asks_for_a_name() {
    let mut client = client();
    let (params, state) = client.asks(ELICITATION, json!({}), "user_name").await;
    assert_eq!(params, form("What is your name?", "name", "string"));
    let answer = json!({ "inputResponses": { "user_name": alice() }, "requestState": state });
    assert_eq!(client.tells(ELICITATION, answer).await, "Hello, Alice!");
}

#[tokio::test]
async fn accepts_an_answer_before_its_question() {
    let mut client = client();
    let early = json!({ "inputResponses": { "user_name": alice() } });
    assert_eq!(client.tells(ELICITATION, early).await, "Hello, Alice!");
}

#[tokio::test]
async fn ignores_answers_without_a_question() {
    let mut client = client();
    let foreign = accept(&json!({ "data": "wrong" }));
    let (params, state) =
        client.asks(ELICITATION, json!({ "inputResponses": { "wrong_key": foreign } }), "user_name").await;
    assert_eq!(params, form("What is your name?", "name", "string"));
    // With the state as well, which stays good.
    let wrong = json!({ "inputResponses": { "wrong_key": foreign }, "requestState": state });
    let (params, state) = client.asks(ELICITATION, wrong, "user_name").await;
    assert_eq!(params, form("What is your name?", "name", "string"));
    let more = json!({ "user_name": alice(), "unknown_extra_key": foreign, "another_unexpected": foreign });
    let answer = json!({ "inputResponses": more, "requestState": state });
    assert_eq!(client.tells(ELICITATION, answer).await, "Hello, Alice!");
    assert_eq!(client.tells(ELICITATION, json!({ "inputResponses": more })).await, "Hello, Alice!");
}

#[tokio::test]
async fn rejects_or_repeats_after_an_invalid_answer() {
    let mut client = client();
    let (_, state) = client.asks(ELICITATION, json!({}), "user_name").await;
    for wrong in [json!(12345), json!("Alice"), json!(["Alice"]), json!(null)] {
        let responses = json!({ "user_name": wrong });
        assert_eq!(client.fails(ELICITATION, json!({ "inputResponses": responses })).await, -32602);
        let with_state = json!({ "inputResponses": responses, "requestState": state });
        assert_eq!(client.fails(ELICITATION, with_state).await, -32602);
    }
    assert_eq!(client.fails(ELICITATION, json!({ "inputResponses": 12345 })).await, -32602);
    client.asks(ELICITATION, json!({ "inputResponses": null }), "user_name").await;

    let misfit = json!({ "user_name": accept(&json!({ "name": 12345 })) });
    let (params, again) =
        client.asks(ELICITATION, json!({ "inputResponses": misfit, "requestState": state }), "user_name").await;
    let message = "What is your name?\n\nThe last answer did not fit:\n- `name`: got 12345, must be a string";
    assert_eq!(params, form(message, "name", "string"));
    let answer = json!({ "inputResponses": { "user_name": alice() }, "requestState": again });
    assert_eq!(client.tells(ELICITATION, answer).await, "Hello, Alice!");
}

#[tokio::test]
async fn accepts_a_returned_state() {
    let mut client = client();
    let (params, state) = client.asks(REQUEST_STATE, json!({}), "confirm").await;
    assert_eq!(params, form("Please confirm", "ok", "boolean"));
    let confirm = json!({ "confirm": accept(&json!({ "ok": true })) });
    let answer = json!({ "inputResponses": confirm, "requestState": state });
    assert_eq!(client.tells(REQUEST_STATE, answer).await, "state-ok, and the answer is yes");
}

#[tokio::test]
async fn rejects_a_tampered_state() {
    let mut client = client();
    let (_, state) = client.asks(TAMPERED_STATE, json!({}), "confirm").await;
    let responses = json!({ "confirm": accept(&json!({ "ok": true })) });
    let with = |state: &str| json!({ "inputResponses": responses, "requestState": state });
    let middle = state.len() / 2;
    let flipped = if state.as_bytes()[middle] == b'A' { "B" } else { "A" };
    for tampered in [
        format!("{state}-TAMPERED"),
        format!("{}{flipped}{}", &state[..middle], &state[middle + 1..]),
        state[..middle].to_owned(),
        String::new(),
    ] {
        assert_eq!(client.fails(TAMPERED_STATE, with(&tampered)).await, -32602, "{tampered}");
    }
    // The state of one tool is not valid for another.
    assert_eq!(client.fails(REQUEST_STATE, with(&state)).await, -32602);
    assert_eq!(client.tells(TAMPERED_STATE, with(&state)).await, "state-ok, and the answer is yes");
}

#[tokio::test]
async fn asks_one_question_after_another() {
    let mut client = client();
    let (params, first) = client.asks(MULTI_ROUND, json!({}), "step1").await;
    assert_eq!(params, form("Step 1: What is your name?", "name", "string"));
    let answer = json!({ "inputResponses": { "step1": alice() }, "requestState": first });
    let (params, second) = client.asks(MULTI_ROUND, answer, "step2").await;
    assert_eq!(params, form("Step 2: What is your favorite color?", "color", "string"));
    assert_ne!(first, second);
    let blue = json!({ "step2": accept(&json!({ "color": "blue" })) });
    let answer = json!({ "inputResponses": blue, "requestState": second });
    assert_eq!(client.tells(MULTI_ROUND, answer).await, "Alice's favorite color is blue.");
}

#[tokio::test]
async fn asks_for_roots() {
    let mut client = client();
    let (params, state) = client.asks(LIST_ROOTS, json!({}), "client_roots").await;
    assert_eq!(params, json!({}));
    let roots = json!({ "roots": [{ "uri": "file:///test/root", "name": "Test Root" }] });
    let answer = json!({ "inputResponses": { "client_roots": roots }, "requestState": state });
    assert_eq!(client.tells(LIST_ROOTS, answer).await, "The client works in: file:///test/root");
}

#[tokio::test]
async fn gives_the_same_result_in_every_mode() {
    in_every_mode!(|mode| {
        let mut client = mode.client(server);
        let named = client.call(ELICITATION, ()).answer(alice()).await;
        assert_eq!(named.text(), "Hello, Alice!");
        let color = accept(&json!({ "color": "blue" }));
        let rounds = client.call(MULTI_ROUND, ()).answer(alice()).answer(color).await;
        assert_eq!(rounds.text(), "Alice's favorite color is blue.");
        let confirmed = client.call(REQUEST_STATE, ()).answer(accept(&json!({ "ok": false }))).await;
        assert_eq!(confirmed.text(), "state-ok, and the answer is no");
        let roots = client.call(LIST_ROOTS, ()).roots(["file:///test/root", "file:///other"]).await;
        assert_eq!(roots.text(), "The client works in: file:///test/root, file:///other");
    });
}
