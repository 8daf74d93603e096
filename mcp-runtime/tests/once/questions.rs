//! Questions that differ in a replay, because another version was deployed or they depend on a clock.

use serde_json::json;

use crate::once::{
    wire::{asked, seat, state, sure, text},
    world::worlds,
};

#[tokio::test]
async fn asks_a_changed_question_again() {
    for tool in ["book", "plan"] {
        for mut world in worlds().await {
            let second = world.begin_and_sit(tool).await;
            world.watched.reword();
            world.forget().await;
            let again = world.answer(tool, &second, sure(true)).await;
            let questions = &again["result"]["inputRequests"];
            assert_eq!(asked(&again), ["seat"]);
            assert_eq!(questions["seat"]["params"]["message"], "Where will you sit to Lisbon?");
            world.forget().await;
            // The same seat: the recorded question and its answer remain valid.
            let done = world.answer(tool, &state(&again), seat("12A")).await;
            assert!(text(&done).starts_with("12A "), "{done}");
            assert_eq!(world.watched.runs(), if tool == "book" { (1, 1) } else { (0, 0) });
        }
    }
}

#[tokio::test]
async fn rejects_an_answer_to_a_changed_question() {
    for mut world in worlds().await {
        let first = world.begin("book").await;
        world.watched.reword();
        world.forget().await;
        // The answer belongs to the old message.
        let again = world.answer("book", &first, seat("12A")).await;
        assert_eq!(asked(&again), ["seat"]);
        let second = world.answer("book", &state(&again), seat("1F")).await;
        assert_eq!(second["result"]["inputRequests"]["sure"]["params"]["message"], "Seat 1F to Lisbon?");
        assert_eq!(text(&world.answer("book", &state(&second), sure(true)).await), "1F to Lisbon for 100");
        assert_eq!(world.watched.runs(), (1, 1));
    }
}

#[tokio::test]
async fn a_question_that_changes_every_time_is_an_error() {
    for tool in ["book", "plan"] {
        for mut world in worlds().await {
            world.watched.be_unsteady();
            let first = world.begin(tool).await;
            world.forget().await;
            let again = world.answer(tool, &first, seat("12A")).await;
            assert_eq!(asked(&again), ["seat"]);
            world.forget().await;
            let failed = world.answer(tool, &state(&again), seat("12A")).await;
            let words = text(&failed);
            assert!(words.contains("`seat`") && words.contains("the message of the question"), "{words}");
            assert_eq!(failed["result"]["isError"], json!(true));
            assert_eq!(world.watched.runs(), if tool == "book" { (1, 0) } else { (0, 0) });
        }
    }
}
