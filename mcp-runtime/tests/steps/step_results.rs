//! Steps run once, whatever happens to the requests.

use std::sync::Arc;

use mcp_runtime::{Elicited, Result, prelude::*};
use serde_json::{Value, json};

use crate::steps::{
    effects::Deeds,
    wire::{asked, error, seat, state, sure, text},
    world::{Seat, Sure, Trip, World, later},
};
use crate::support::shared_ledger::SharedLedger;

/// Reserves, asks, charges, asks, and gives what the steps gave.
#[mcp_tool(replayable)]
pub(crate) async fn order(ctx: &Ctx<Trip>, deeds: &Arc<Deeds>) -> Result<String> {
    let reserved = ctx.step("reserve", deeds.does("reserve")).await?;
    let Seat { seat } = ctx.elicit::<Seat>("Which seat?").strict().await?;
    let charged = ctx.step("charge", deeds.does(&seat)).await?;
    let Sure { sure } = ctx.elicit::<Sure>("Sure?").strict().await?;
    Ok(format!("{reserved} {seat} {charged} {sure}"))
}

/// Fails in a step, and asks what to do.
#[mcp_tool(replayable)]
pub(crate) async fn fail(ctx: &Ctx<Trip>, deeds: &Arc<Deeds>) -> Result<String> {
    ctx.elicit::<Seat>("Which seat?").strict().await?;
    let deed = async {
        deeds.does("fail").await;
        Err::<(), _>(std::io::Error::other("the card was refused"))
    };
    let failed = ctx.try_step("charge", deed).await.expect_err("it fails").to_string();
    let Sure { sure } = ctx.elicit::<Sure>(format!("{failed}; go on?")).strict().await?;
    Ok(format!("{failed} {sure}"))
}

/// Asks and does something at once.
#[mcp_tool(replayable)]
pub(crate) async fn at_once(ctx: &Ctx<Trip>, deeds: &Arc<Deeds>, asks_first: bool) -> Result<String> {
    let ask = async { ctx.elicit::<Seat>("Which seat?").strict().await };
    let step = async { ctx.step("do", deeds.does("do")).await };
    let (seat, count) = if asks_first {
        tokio::join!(ask, step)
    } else {
        let (count, seat) = tokio::join!(step, ask);
        (seat, count)
    };
    Ok(format!("{} {}", seat?.seat, count?))
}

/// Asks within a step.
#[mcp_tool(replayable)]
pub(crate) async fn nested(ctx: &Ctx<Trip>) -> Result<String> {
    let asked =
        ctx.step("ask", async { ctx.elicit::<Seat>("Which seat?").await.map(|_| ()).map_err(|e| e.to_string()) });
    match asked.await? {
        Ok(()) => Ok("answered".to_owned()),
        Err(error) => Err(error.into()),
    }
}

/// Does the same three times, and something that gives a lot.
#[mcp_tool(replayable)]
pub(crate) async fn often(ctx: &Ctx<Trip>, deeds: &Arc<Deeds>, length: usize) -> Result<String> {
    ctx.elicit::<Seat>("Which seat?").strict().await?;
    let mut counts = Vec::new();
    for _ in 0..3 {
        counts.push(ctx.step("again", deeds.does("again")).await?);
    }
    let long = ctx.step("long", async { "x".repeat(length) }).await?.len();
    match ctx.elicit::<Sure>("Sure?").await? {
        Elicited::Accept(Sure { sure }) => Ok(format!("{counts:?} {long} {sure}")),
        Elicited::Decline | Elicited::Cancel => Ok("no".to_owned()),
    }
}

/// May begin again what it has begun.
#[mcp_tool(replayable)]
pub(crate) async fn retry(ctx: &Ctx<Trip>, deeds: &Arc<Deeds>) -> Result<String> {
    ctx.elicit::<Seat>("Which seat?").strict().await?;
    let count = ctx.step("again", deeds.does("again")).idempotent().await?;
    Ok(format!("{count}"))
}

#[tokio::test]
async fn runs_a_step_once() {
    for forgets in [false, true] {
        for mut world in World::all() {
            let deeds = Arc::clone(&world.deeds);
            let first = state(&world.call("order", json!({})).await);
            assert_eq!(deeds.done(), ["reserve"]);
            if forgets {
                world.forget().await;
            }
            let second = world.answer("order", &first, seat("12A")).await;
            assert_eq!(deeds.done(), ["reserve", "12A"]);
            if forgets {
                world.forget().await;
            }
            let done = world.answer("order", &state(&second), sure(true)).await;
            assert_eq!((text(&done), deeds.done()), ("1 12A 2 true", vec!["reserve".into(), "12A".into()]));
        }
    }
}

#[tokio::test]
async fn a_retried_round_finds_a_step_that_has_run() {
    for mut world in World::all() {
        let deeds = Arc::clone(&world.deeds);
        let first = state(&world.call("order", json!({})).await);
        deeds.hold();
        let sent = world.send("order", &later(&first, &seat("12A"))).await;
        deeds.is_running().await;
        world.cancel(sent).await;
        // It finishes; a retry waits meanwhile.
        let again = world.send("order", &later(&first, &seat("1F"))).await;
        deeds.let_go();
        let second = world.reply(again).await;
        assert_eq!(asked(&second), ["sure"]);
        let done = world.answer("order", &state(&second), sure(true)).await;
        assert_eq!(text(&done), "1 1F 2 true", "the other answer is taken, and the step that was done stays done");
        assert_eq!(deeds.done(), ["reserve", "12A"]);
    }
}

#[tokio::test]
async fn records_a_failed_step() {
    for mut world in World::all() {
        let first = state(&world.call("fail", json!({})).await);
        let second = world.answer("fail", &first, seat("12A")).await;
        let question = &second["result"]["inputRequests"]["sure"]["params"]["message"];
        assert_eq!(question, "the card was refused; go on?");
        world.forget().await;
        let done = world.answer("fail", &state(&second), sure(true)).await;
        assert_eq!((text(&done), world.deeds.done().len()), ("the card was refused true", 1));
    }
}

#[tokio::test]
async fn steps_and_questions_exclude_each_other() {
    for mut world in World::all() {
        let arguments = |asks_first: bool| json!({ "arguments": { "asks_first": asks_first } });
        let first = world.call("at_once", arguments(true)).await;
        assert_eq!((asked(&first), world.deeds.done().len()), (vec!["seat"], 0));
        let mut more = arguments(true);
        more["requestState"] = state(&first);
        more["inputResponses"] = seat("12A");
        let done = world.call("at_once", more).await;
        assert_eq!((text(&done), world.deeds.done().len()), ("12A 1", 1));

        world.deeds.hold();
        let sent = world.send("at_once", &arguments(false)).await;
        world.deeds.is_running().await;
        world.deeds.let_go();
        let first = world.reply(sent).await;
        assert_eq!((asked(&first), world.deeds.done().len()), (vec!["seat"], 2), "the step is done by then");
    }
}

#[tokio::test]
async fn a_step_cannot_ask() {
    let mut world = World::one();
    let done = world.call("nested", json!({})).await;
    assert_eq!(
        text(&done),
        "this question cannot be asked: a step cannot ask; ask before the step and pass the answer to it"
    );
}

#[tokio::test]
async fn numbers_steps_with_the_same_name() {
    for mut world in World::all() {
        let more = |more: Value| {
            let mut params = json!({ "arguments": { "length": 1000 } });
            params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            params
        };
        let first = state(&world.call("often", more(json!({}))).await);
        let second = world.call("often", more(json!({ "requestState": first, "inputResponses": seat("12A") }))).await;
        world.forget().await;
        let last = json!({ "requestState": state(&second), "inputResponses": sure(true) });
        assert_eq!(text(&world.call("often", more(last)).await), "[1, 2, 3] 1000 true");
        assert_eq!(world.deeds.done().len(), 3);
    }
}

#[tokio::test]
async fn reports_an_outcome_too_large_to_record() {
    let mut world = World::one();
    let arguments = json!({ "length": 300 * 1024 });
    let first = state(&world.call("often", json!({ "arguments": arguments })).await);
    let round = json!({ "arguments": arguments, "requestState": first, "inputResponses": seat("12A") });
    let second = state(&world.call("often", round).await);
    world.forget().await;
    let last = json!({ "arguments": arguments, "requestState": second, "inputResponses": sure(true) });
    let done = world.call("often", last).await;
    assert_eq!(text(&done), "the step `long` completed, but its output was too large to record");
}

#[tokio::test(start_paused = true)]
async fn an_unrecorded_step_has_an_unknown_outcome() {
    for (tool, again) in [("order", false), ("retry", true)] {
        let ledger = SharedLedger::default();
        let mut world = World::with_ledger(ledger.clone());
        let deeds = Arc::clone(&world.deeds);
        let first = state(&world.call(tool, json!({})).await);
        deeds.hold();
        let sent = world.send(tool, &later(&first, &seat("12A"))).await;
        deeds.is_running().await;
        ledger.is_away.set(true);
        deeds.let_go();
        let refused = world.reply(sent).await;
        let (code, message) = error(&refused);
        assert_eq!(code, -32603, "{message}");
        ledger.is_away.set(false);
        let before = deeds.done().len();
        let next = world.answer(tool, &first, seat("12A")).await;
        if again {
            assert_eq!((text(&next), deeds.done().len()), ("2", before + 1));
        } else {
            let told = text(&next);
            assert!(told.starts_with("the step `charge` was begun before, and its outcome is unknown"), "{told}");
            assert_eq!(deeds.done().len(), before, "it does not begin again");
        }
    }
}

#[tokio::test]
async fn encrypts_outcomes_in_a_shared_ledger() {
    let ledger = SharedLedger::default();
    let mut world = World::with_ledger(ledger.clone());
    let first = state(&world.call("order", json!({})).await);
    let second = state(&world.answer("order", &first, seat("12A")).await);
    world.forget().await;
    let done = world.answer("order", &second, sure(true)).await;
    assert_eq!(text(&done), "1 12A 2 true");
    assert_eq!(text(&world.answer("order", &second, sure(false)).await), "1 12A 2 true", "a repeated round");
    assert!(ledger.has_seen(b"charge"), "the name of a step is no secret");
    for secret in [&b"12A"[..], b"Sure?", b"true"] {
        assert!(!ledger.has_seen(secret), "{}", String::from_utf8_lossy(secret));
    }
}
