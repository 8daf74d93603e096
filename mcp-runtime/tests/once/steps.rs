//! Steps with each kind of ledger. Other properties of steps are tested elsewhere.

use serde_json::json;

use crate::once::{
    wire::{asked, seat, state, sure, text},
    world::worlds,
};

#[tokio::test]
async fn runs_a_step_once_across_instances() {
    for forgets in [false, true] {
        for mut world in worlds().await {
            let first = world.begin("pay").await;
            let second = world.answer("pay", &first, seat("12A")).await;
            assert_eq!(asked(&second), ["sure"]);
            for other in [seat("1F"), seat("12A"), json!({})] {
                assert_eq!(world.answer("pay", &first, other).await, second);
            }
            if forgets {
                world.forget().await;
            }
            let done = world.answer("pay", &state(&second), sure(true)).await;
            assert_eq!(text(&done), "12A: paid for 12A, true");
            assert_eq!(world.answer("pay", &state(&second), sure(false)).await, done);
            assert_eq!(world.watched.after.get(), 1);
        }
    }
}

#[tokio::test]
async fn one_of_eight_concurrent_requests_runs_the_step() {
    for mut world in worlds().await {
        let watched = world.watched.clone();
        let first = world.begin("pay").await;
        watched.effect.close();
        let mut sent = Vec::new();
        for row in 1..=8 {
            sent.push(world.send_answer("pay", &first, seat(&format!("{row}A"))).await);
        }
        watched.effect.reached(1).await;
        watched.effect.open();
        let mut replies = Vec::new();
        for sent in sent {
            replies.push(world.reply(sent).await);
        }
        assert!(replies.iter().all(|reply| *reply == replies[0]), "{replies:?}");
        assert_eq!((asked(&replies[0]), watched.after.get()), (vec!["sure"], 1));
    }
}

#[tokio::test]
async fn a_step_of_a_cancelled_request_finishes_and_is_found() {
    for mut world in worlds().await {
        let watched = world.watched.clone();
        let first = world.begin("pay").await;
        watched.effect.close();
        let sent = world.send_answer("pay", &first, seat("12A")).await;
        watched.effect.reached(1).await;
        world.cancel(sent).await;
        let waits = world.send_answer("pay", &first, seat("1F")).await;
        watched.effect.open();
        let second = world.reply(waits).await;
        assert_eq!(asked(&second), ["sure"]);
        let done = world.answer("pay", &state(&second), sure(true)).await;
        // The other answer counts, because the round was released; the payment remains.
        assert_eq!((text(&done), watched.after.get()), ("1F: paid for 12A, true", 1));
    }
}
