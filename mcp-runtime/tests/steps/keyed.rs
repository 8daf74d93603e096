//! Calls with an idempotency key, which identifies retries.

use serde_json::{Value, json};

use crate::steps::{
    wire::{error, seat, state, sure, text},
    world::World,
};

/// Returns the members of a first request with this key.
fn keyed(key: &Value) -> Value {
    json!({ "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        "idempotency-key": key,
    }})
}

#[tokio::test]
async fn a_retried_first_request_is_the_same_call() {
    for mut world in World::all() {
        let first = world.call("order", keyed(&json!("k1"))).await;
        for _ in 0..3 {
            assert_eq!(world.call("order", keyed(&json!("k1"))).await, first);
        }
        assert_eq!(world.deeds.done(), ["reserve"]);
        let second = world.answer("order", &state(&first), seat("12A")).await;
        assert_eq!(world.call("order", keyed(&json!("k1"))).await, second, "the latest reply of the call");
        let done = world.answer("order", &state(&second), sure(true)).await;
        assert_eq!(text(&done), "1 12A 2 true");
        assert_eq!(world.call("order", keyed(&json!("k1"))).await, done);
        assert_eq!(world.deeds.done(), ["reserve", "12A"]);
        // Another key starts another call.
        world.call("order", keyed(&json!("k2"))).await;
        assert_eq!(world.deeds.done().len(), 3);
    }
}

#[tokio::test]
async fn a_retried_first_request_waits_for_the_running_one() {
    for mut world in World::all() {
        world.deeds.hold();
        let one = world.send("order", &keyed(&json!("k"))).await;
        let other = world.send("order", &keyed(&json!("k"))).await;
        world.deeds.is_running().await;
        world.deeds.let_go();
        let first = world.reply(one).await;
        assert_eq!(world.reply(other).await, first);
        assert_eq!(world.deeds.done(), ["reserve"]);
    }
}

#[tokio::test]
async fn a_step_before_the_first_question_runs_once() {
    for mut world in World::all() {
        world.deeds.hold();
        let sent = world.send("order", &keyed(&json!("k"))).await;
        world.deeds.is_running().await;
        world.cancel(sent).await;
        world.deeds.let_go();
        let first = world.call("order", keyed(&json!("k"))).await;
        let second = world.answer("order", &state(&first), seat("12A")).await;
        let done = world.answer("order", &state(&second), sure(true)).await;
        assert_eq!((text(&done), world.deeds.done().len()), ("1 12A 2 true", 2));
    }
}

#[tokio::test]
async fn rejects_a_key_with_other_arguments() {
    let mut world = World::one();
    for length in [1, 2] {
        let mut request = keyed(&json!("k"));
        request["arguments"] = json!({ "length": length });
        let first = state(&world.call("often", request).await);
        let more = json!({
            "arguments": { "length": length }, "requestState": first, "inputResponses": seat("12A"),
        });
        state(&world.call("often", more).await);
        assert_eq!(world.deeds.done().len(), 3 * length);
    }
    let mut request = keyed(&json!("k"));
    request["arguments"] = json!({ "length": "many" });
    let refused = world.call("often", request.clone()).await;
    assert!(refused["result"]["isError"] == true, "arguments that do not fit spend nothing: {refused}");
}

#[tokio::test]
async fn rejects_keys_other_than_short_strings() {
    let mut world = World::one();
    for key in [json!(""), json!(7), json!("k".repeat(256)), json!({})] {
        let response = world.call("order", keyed(&key)).await;
        let told = "`idempotency-key` must be a string of 1 to 255 bytes";
        assert_eq!(error(&response), (-32602, told), "{key}");
    }
    assert!(world.deeds.done().is_empty());
}
