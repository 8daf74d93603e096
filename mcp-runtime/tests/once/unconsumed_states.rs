//! Requests without a valid answer: their state remains valid.

use serde_json::json;

use crate::once::{
    wire::{asked, error, seat, state, sure, text},
    world::{lone_worlds, worlds},
};

const BOOKED: &str = "12A to Lisbon for 100";

#[tokio::test]
async fn missing_and_unknown_keys_are_asked_again() {
    for mut world in worlds().await {
        let first = world.begin("book").await;
        let unknown = world.answer("book", &first, sure(true)).await;
        let missing = world.answer("book", &state(&unknown), json!({})).await;
        assert_eq!((asked(&unknown), asked(&missing)), (vec!["seat"], vec!["seat"]));
        // All three states are valid until one of them is consumed.
        let second = world.answer("book", &state(&unknown), seat("12A")).await;
        for spent in [&first, &state(&unknown), &state(&missing)] {
            assert_eq!(world.answer("book", spent, seat("1F")).await, second);
        }
        assert_eq!(text(&world.answer("book", &state(&second), sure(true)).await), BOOKED);
        assert_eq!(world.watched.runs(), (1, 1));
    }
}

#[tokio::test]
async fn fails_after_three_requests_without_an_answer() {
    for mut world in worlds().await {
        let mut last = world.begin("book").await;
        for _ in 0..2 {
            let again = world.answer("book", &last, json!({})).await;
            assert_eq!(asked(&again), ["seat"]);
            last = state(&again);
            // A state alone does not count.
            let alone = world.call("book", json!({ "requestState": last })).await;
            assert_eq!(asked(&alone), ["seat"]);
        }
        let ended = world.answer("book", &last, json!({})).await;
        assert_eq!(
            (text(&ended), &ended["result"]["isError"]),
            ("the client was asked three times and sent no answer", &json!(true))
        );
        assert_eq!(world.answer("book", &last, seat("12A")).await, ended);
        assert_eq!(world.watched.runs(), (1, 0));
    }
}

#[tokio::test]
async fn an_invalid_answer_is_asked_again_with_the_reason() {
    for mut world in worlds().await {
        let first = world.begin("book").await;
        let again = world.answer("book", &first, seat("x")).await;
        let message = again["result"]["inputRequests"]["seat"]["params"]["message"].as_str().unwrap();
        assert!(message.starts_with("Which seat to Lisbon?\n\nThe last answer did not fit:\n"), "{message}");
        assert_eq!(world.answer("book", &first, seat("12A")).await, again);
        let second = world.answer("book", &state(&again), seat("12A")).await;
        assert_eq!(text(&world.answer("book", &state(&second), sure(true)).await), BOOKED);
        assert_eq!(world.watched.runs(), (1, 1));
    }
}

#[tokio::test]
async fn a_malformed_request_does_not_consume_the_state() {
    for mut world in worlds().await {
        let first = world.begin("book").await;
        for responses in [json!([]), json!("seat"), json!({ "seat": 7 }), json!({ "seat": null })] {
            assert_eq!(error(&world.answer("book", &first, responses).await).0, -32602);
        }
        for strange in [json!("made up"), json!(7), json!("")] {
            assert_eq!(error(&world.answer("book", &strange, seat("12A")).await).0, -32602);
        }
        let second = world.answer("book", &first, seat("12A")).await;
        assert_eq!(text(&world.answer("book", &state(&second), sure(true)).await), BOOKED);
        assert_eq!(world.watched.runs(), (1, 1));
    }
}

#[tokio::test]
async fn a_client_without_the_capability_does_not_consume_the_state() {
    for mut world in worlds().await {
        let mut last = world.begin("book").await;
        for answer in [seat("12A"), sure(true)] {
            let runs = world.watched.client.get();
            world.set_capabilities(&json!({}));
            assert_eq!(error(&world.answer("book", &last, answer.clone()).await).0, -32021);
            world.set_capabilities(&json!({ "elicitation": {} }));
            assert_eq!(world.watched.client.get(), runs);
            let response = world.answer("book", &last, answer).await;
            if response["result"]["resultType"] != "input_required" {
                assert_eq!(text(&response), BOOKED);
                break;
            }
            last = state(&response);
        }
        assert_eq!(world.watched.runs(), (1, 1));
    }
}

#[tokio::test]
async fn a_state_is_bound_to_its_request() {
    for mut world in worlds().await {
        let first = world.begin("book").await;
        let answers = seat("12A");
        let other = json!({ "arguments": { "to": "Oslo" }, "requestState": first, "inputResponses": answers });
        let refusals = [world.call("book", other).await, world.answer("plan", &first, seat("12A")).await];
        for refused in &refusals {
            let words = "`requestState` does not belong to this request; send the request again without it";
            assert_eq!(error(refused), (-32602, words));
        }
        let second = world.answer("book", &first, seat("12A")).await;
        assert_eq!(text(&world.answer("book", &state(&second), sure(true)).await), BOOKED);
        assert_eq!(world.watched.runs(), (1, 1));
    }
}

#[tokio::test]
async fn a_handoff_ignores_early_answers() {
    for mut world in worlds().await {
        let early = json!({ "inputResponses": seat("12A") });
        let response = world.call("book", early.clone()).await;
        assert_eq!(asked(&response), ["seat"]);
        let second = world.answer("book", &state(&response), seat("1F")).await;
        assert_eq!(text(&world.answer("book", &state(&second), sure(true)).await), "1F to Lisbon for 100");
        assert_eq!(world.watched.runs(), (1, 1));

        // A plain tool accepts an early answer to its first question.
        assert_eq!(asked(&world.call("plan", early).await), ["sure"]);
    }
}

#[tokio::test]
async fn ignores_an_answer_to_a_later_question() {
    for mut world in lone_worlds().await {
        for tool in ["book", "plan", "wander"] {
            let first = world.begin(tool).await;
            let ahead = json!({ "seat": seat("12A")["seat"], "sure": sure(true)["sure"] });
            assert_eq!(asked(&world.answer(tool, &first, ahead).await), ["sure"]);
        }
    }
}
