//! The requests of a call since 2026-07-28: answers that are early, late, partial or wrong.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use mcp_runtime::{MemoryClient, Result, Server, prelude::*};
use serde_json::{Value, json};

use crate::asking::{Dinner, Pick, Sure};

#[derive(Default)]
struct Begun(AtomicUsize);

/// Orders a dish.
#[mcp_tool]
async fn order(ctx: &Ctx<Dinner>, begun: &Begun, note: Option<String>) -> Result<String> {
    let begun = begun.0.fetch_add(1, Ordering::Relaxed) + 1;
    let pick = ctx.elicit::<Pick>("Which dish?").strict().await?;
    Ok(format!("{}{} ({begun} begun)", note.unwrap_or_default(), pick.dish))
}

/// Believes nothing it has not asked for.
#[mcp_tool]
async fn cautious(ctx: &Ctx<Dinner>) -> Result<String> {
    Ok(ctx.elicit::<Pick>("Which dish?").must_ask().strict().await?.dish)
}

/// Asks two forms at once.
#[mcp_tool]
async fn both(ctx: &Ctx<Dinner>) -> Result<String> {
    let (pick, sure) =
        tokio::try_join!(ctx.elicit::<Pick>("Which dish?").strict(), ctx.elicit::<Sure>("Sure?").strict())?;
    Ok(format!("{} {}", pick.dish, sure.sure))
}

/// Is done with either, and then asks once more.
#[mcp_tool]
async fn either(ctx: &Ctx<Dinner>) -> Result<String> {
    let first = tokio::select! {
        pick = ctx.elicit::<Pick>("Which dish?").strict() => pick?.dish,
        sure = ctx.elicit::<Sure>("Or whatever there is?").strict() => sure?.sure.to_string(),
    };
    let last = ctx.elicit::<Sure>("Is that all?").strict().await?.sure;
    Ok(format!("{first} {last}"))
}

/// Goes on without an answer.
#[mcp_tool]
async fn carefree(ctx: &Ctx<Dinner>) -> String {
    match ctx.elicit::<Pick>("Which dish?").strict().await {
        Ok(pick) => pick.dish,
        Err(error) => format!("no dish: {error}"),
    }
}

/// A client that sends raw messages.
struct Wire {
    memory: MemoryClient,
    capabilities: Value,
}

impl Wire {
    fn new() -> Self {
        let server = Server::new("test", "1").state(Begun::default()).max_concurrent_calls(1);
        let service = server.tools(tools![order, cautious, both, either, carefree]).build().unwrap();
        Self { memory: service.memory(), capabilities: json!({ "elicitation": {} }) }
    }

    /// Calls the tool with additional members of `params`, and returns the response.
    async fn call(&mut self, tool: &str, more: Value) -> Value {
        let mut params = json!({ "name": tool, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": self.capabilities,
        }});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        self.memory.send(&request.to_string()).await;
        serde_json::from_str(&self.memory.receive().await.unwrap()).unwrap()
    }

    /// Begins a call that asks a question, and returns the `requestState` of the call.
    async fn begin(&mut self, tool: &str) -> Value {
        self.call(tool, json!({})).await["result"]["requestState"].take()
    }

    /// Returns the response to a later round.
    async fn answer(&mut self, tool: &str, state: &Value, responses: Value) -> Value {
        self.call(tool, json!({ "requestState": state, "inputResponses": responses })).await
    }
}

fn dish(dish: &str) -> Value {
    json!({ "action": "accept", "content": { "dish": dish } })
}

fn sure(sure: bool) -> Value {
    json!({ "action": "accept", "content": { "sure": sure } })
}

/// Returns the keys that a response asks for.
fn asked(response: &Value) -> Vec<&str> {
    let questions = response["result"]["inputRequests"].as_object();
    questions.unwrap_or_else(|| panic!("asks nothing: {response}")).keys().map(String::as_str).collect()
}

fn text(response: &Value) -> &str {
    response["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {response}"))
}

fn code(response: &Value) -> i64 {
    response["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {response}"))
}

#[tokio::test]
async fn a_round_ends_with_its_questions_and_the_next_brings_the_answers() {
    let mut wire = Wire::new();
    let note = json!({ "note": "> " });
    let round = wire.call("order", json!({ "arguments": note })).await;
    assert_eq!(round["result"]["resultType"], "input_required");
    let question = &round["result"]["inputRequests"]["pick"];
    assert_eq!((&question["method"], &question["params"]["mode"]), (&json!("elicitation/create"), &json!("form")));
    assert!(question.get("id").is_none() && question.get("jsonrpc").is_none());
    let state = &round["result"]["requestState"];
    let retry = json!({ "arguments": note, "requestState": state, "inputResponses": { "pick": dish("soup") } });
    assert_eq!(text(&wire.call("order", retry.clone()).await), "> soup (1 begun)");

    // The state is spent: any answer gets the recorded reply, and nothing runs.
    let other = json!({ "arguments": note, "requestState": state, "inputResponses": { "pick": dish("stew") } });
    let alone = json!({ "arguments": note, "requestState": state });
    for again in [&retry, &other, &alone, &retry] {
        assert_eq!(text(&wire.call("order", again.clone()).await), "> soup (1 begun)");
    }
}

#[tokio::test]
async fn a_state_of_an_earlier_round_gets_the_latest_reply() {
    let mut wire = Wire::new();
    let first = wire.begin("both").await;
    let second = wire.answer("both", &first, json!({ "sure": sure(true) })).await;
    for answers in [json!({ "sure": sure(false) }), json!({ "pick": dish("stew") }), json!({})] {
        assert_eq!(wire.answer("both", &first, answers).await["result"], second["result"]);
    }
    let state = &second["result"]["requestState"];
    assert_eq!(text(&wire.answer("both", state, json!({ "pick": dish("soup") })).await), "soup true");
    assert_eq!(text(&wire.answer("both", &first, json!({ "pick": dish("stew") })).await), "soup true");
}

#[tokio::test]
async fn a_rejected_request_does_not_consume_the_state() {
    let mut wire = Wire::new();
    let state = wire.begin("order").await;
    let good = json!({ "requestState": state, "inputResponses": { "pick": dish("soup") } });
    for (member, value) in [
        ("requestState", json!("made up")),
        ("requestState", json!(7)),
        ("inputResponses", json!({ "pick": 7 })),
        ("inputResponses", json!({ "pick": null })),
        ("inputResponses", json!({ "pick": [] })),
        ("inputResponses", json!([])),
        ("inputResponses", json!("pick")),
        ("arguments", json!({ "note": "other" })),
        ("name", json!("cautious")),
    ] {
        let mut wrong = good.clone();
        wrong[member] = value.clone();
        assert_eq!(code(&wire.call("order", wrong).await), -32602, "{member} {value}");
    }
    let able = std::mem::replace(&mut wire.capabilities, json!({}));
    assert_eq!(code(&wire.call("order", good.clone()).await), -32021);
    wire.capabilities = able;
    assert_eq!(text(&wire.call("order", good).await), "soup (1 begun)");
}

#[tokio::test]
async fn malformed_answers_do_not_resume_the_call() {
    let mut wire = Wire::new();
    for responses in [json!({ "pick": 7 }), json!({ "pick": null }), json!([]), json!(7)] {
        let response = wire.call("order", json!({ "inputResponses": responses })).await;
        assert_eq!(code(&response), -32602);
    }
    let early = wire.call("order", json!({ "inputResponses": { "pick": dish("soup") } })).await;
    assert_eq!(text(&early), "soup (1 begun)");
}

#[tokio::test]
async fn accepts_the_same_arguments_in_another_notation() {
    let mut wire = Wire::new();
    let state = wire.begin("order").await;
    let answers = json!({ "pick": dish("soup") });
    let retry = json!({ "arguments": {}, "requestState": state, "inputResponses": answers });
    assert_eq!(text(&wire.call("order", retry).await), "soup (1 begun)");
}

#[tokio::test]
async fn an_unknown_key_is_ignored_and_a_missing_one_asked_again() {
    let mut wire = Wire::new();
    let state = wire.begin("order").await;
    let again = wire.answer("order", &state, json!({ "plate": dish("soup") })).await;
    assert_eq!(asked(&again), ["pick"]);
    // The old state is as valid as the new one, which counts the missing answer.
    assert_ne!(again["result"]["requestState"], state);
    let done = wire.answer("order", &state, json!({ "plate": {}, "pick": dish("soup") })).await;
    assert_eq!(text(&done), "soup (1 begun)");
}

#[tokio::test]
async fn fails_after_three_requests_without_an_answer() {
    let mut wire = Wire::new();
    let mut state = wire.begin("carefree").await;
    for _ in 0..2 {
        let again = wire.answer("carefree", &state, json!({})).await;
        assert_eq!(asked(&again), ["pick"]);
        state = again["result"]["requestState"].clone();
        // A state alone can be sent any number of times.
        let alone = wire.call("carefree", json!({ "requestState": state })).await;
        assert_eq!(asked(&alone), ["pick"]);
        state = alone["result"]["requestState"].clone();
    }
    let third = wire.answer("carefree", &state, json!({ "plate": {} })).await;
    assert_eq!(text(&third), "no dish: the client was asked three times and sent no answer");
    let late = wire.answer("carefree", &state, json!({ "pick": dish("soup") })).await;
    assert_eq!(text(&late), "no dish: the client was asked three times and sent no answer");
}

#[tokio::test]
async fn keeps_partial_answers_and_asks_for_the_rest() {
    let mut wire = Wire::new();
    let first = wire.call("both", json!({})).await;
    assert_eq!(asked(&first), ["pick", "sure"]);
    let state = &first["result"]["requestState"];
    let second = wire.answer("both", state, json!({ "sure": sure(true) })).await;
    assert_eq!(asked(&second), ["pick"]);
    assert_ne!(&second["result"]["requestState"], state);
    let done = wire.answer("both", &second["result"]["requestState"], json!({ "pick": dish("soup") })).await;
    assert_eq!(text(&done), "soup true");
}

#[tokio::test]
async fn repeats_all_open_questions_after_an_invalid_answer() {
    let mut wire = Wire::new();
    let state = wire.begin("both").await;
    let second = wire.answer("both", &state, json!({ "pick": dish("x") })).await;
    assert_eq!(
        {
            let mut keys = asked(&second);
            keys.sort_unstable();
            keys
        },
        ["pick", "sure"]
    );
    let message = second["result"]["inputRequests"]["pick"]["params"]["message"].as_str().unwrap();
    assert!(message.starts_with("Which dish?\n\nThe last answer did not fit:\n"), "{message}");
    let answers = json!({ "pick": dish("soup"), "sure": sure(false) });
    assert_eq!(text(&wire.answer("both", &second["result"]["requestState"], answers).await), "soup false");
}

#[tokio::test]
async fn does_not_repeat_a_question_that_lost_a_race() {
    let mut wire = Wire::new();
    let state = wire.begin("either").await;
    let second = wire.answer("either", &state, json!({ "sure": sure(true) })).await;
    assert_eq!(asked(&second), ["sure#2"]);
    // An answer to it is an unknown key.
    let answers = json!({ "pick": dish("soup"), "sure#2": sure(true) });
    assert_eq!(text(&wire.answer("either", &second["result"]["requestState"], answers).await), "true true");
}

#[tokio::test]
async fn accepts_an_answer_before_its_question() {
    let mut wire = Wire::new();
    let early = json!({ "inputResponses": { "pick": dish("soup"), "unknown_extra_key": {} } });
    assert_eq!(text(&wire.call("order", early).await), "soup (1 begun)");

    let wrong_key = json!({ "inputResponses": { "plate": dish("soup") } });
    assert_eq!(asked(&wire.call("order", wrong_key).await), ["pick"]);

    let part = json!({ "inputResponses": { "sure": sure(true) } });
    let round = wire.call("both", part).await;
    assert_eq!(asked(&round), ["pick"]);
    let done = wire.answer("both", &round["result"]["requestState"], json!({ "pick": dish("soup") })).await;
    assert_eq!(text(&done), "soup true");
}

#[tokio::test]
async fn asks_after_an_invalid_early_answer() {
    let mut wire = Wire::new();
    let round = wire.call("order", json!({ "inputResponses": { "pick": dish("x") } })).await;
    assert_eq!(asked(&round), ["pick"]);
    let done = wire.answer("order", &round["result"]["requestState"], json!({ "pick": dish("soup") })).await;
    assert_eq!(text(&done), "soup (1 begun)");
}

#[tokio::test]
async fn a_tool_can_reject_early_answers() {
    let mut wire = Wire::new();
    let round = wire.call("cautious", json!({ "inputResponses": { "pick": dish("soup") } })).await;
    assert_eq!(asked(&round), ["pick"]);
    let done = wire.answer("cautious", &round["result"]["requestState"], json!({ "pick": dish("fish") })).await;
    assert_eq!(text(&done), "fish");
}

#[tokio::test]
async fn rejects_a_call_if_no_parking_place_is_free() {
    const PLACES: usize = 16 * 1024;
    let mut wire = Wire::new();
    let oldest = wire.begin("order").await;
    for _ in 1..PLACES {
        wire.begin("order").await;
    }
    let refused = wire.call("order", json!({})).await;
    assert_eq!((code(&refused), &refused["error"]["data"]["retryAfterMs"]), (-32603, &json!(1000)));

    let answers = json!({ "pick": dish("soup") });
    assert_eq!(text(&wire.answer("order", &oldest, answers.clone()).await), "soup (1 begun)");
    let next = wire.begin("order").await;
    assert_eq!(text(&wire.answer("order", &next, answers).await), format!("soup ({} begun)", PLACES + 1));
}

#[tokio::test(start_paused = true)]
async fn keeps_a_call_for_fifteen_minutes() {
    let mut wire = Wire::new();
    let answers = json!({ "pick": dish("soup") });
    for (minutes, kept) in [(14, true), (16, false)] {
        let state = wire.begin("order").await;
        tokio::time::sleep(Duration::from_secs(60 * minutes)).await;
        let response = wire.answer("order", &state, answers.clone()).await;
        assert_eq!(response.get("result").is_some(), kept, "{response}");
    }
}

#[tokio::test]
async fn rejects_a_duplicate_key_in_input_responses() {
    let mut wire = Wire::new();
    let state = wire.begin("order").await;
    let (good, bad) = (dish("soup"), dish("stew"));
    for twice in [format!(r#"{{"pick":{good},"pick":{bad}}}"#), format!(r#"{{"pick":{good},"p\u0069ck":{good}}}"#)] {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "order",
            "requestState": state, "inputResponses": "RESPONSES", "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": wire.capabilities,
            }
        }});
        wire.memory.send(&request.to_string().replace("\"RESPONSES\"", &twice)).await;
        let response: Value = serde_json::from_str(&wire.memory.receive().await.unwrap()).unwrap();
        assert_eq!(code(&response), -32602, "{response}");
        assert_eq!(response["error"]["message"], "`pick` appears twice in `inputResponses`");
    }
    assert_eq!(
        text(&wire.answer("order", &state, json!({ "pick": good })).await),
        "soup (1 begun)",
        "nothing is spent"
    );
}
