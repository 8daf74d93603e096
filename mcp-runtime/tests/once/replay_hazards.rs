//! Typical problems of functions that are replayed, except for those that other files test.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use mcp_runtime::{Result, prelude::*, store::MemoryLedger};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::once::{
    tools::{Seat, Sure, Trip, Watched},
    wire::{asked, seat, state, sure, text},
    world::{World, server},
};

/// The values that the tools of this file share with their test.
#[derive(Clone, Default)]
struct Seen {
    is_deployed: Arc<AtomicBool>,
    held: Arc<AtomicUsize>,
}

/// Returns a world with one instance. If states are sealed, also returns a world with two instances that take turns.
fn worlds() -> Vec<(World, Seen)> {
    let counts = if cfg!(feature = "seal") { &[1, 2][..] } else { &[1] };
    let world = |count: &usize| {
        let (watched, ledger, seen) = (Watched::new(), Arc::new(MemoryLedger::new()), Seen::default());
        let service = |_| {
            let server = server(&watched, Arc::clone(&ledger)).state(seen.clone()).tool(Guess);
            let server = server.tools(tools![insists, moves, holds, hurries, swallows, grows]);
            #[cfg(feature = "seal")]
            let server = server.state_keys(mcp_runtime::store::KeyRing::new([7; 32]));
            server.build().unwrap()
        };
        let services = (0..*count).map(service).collect();
        (World::of(watched, services), seen)
    };
    counts.iter().map(world).collect()
}

/// Asks two questions with one form; another version asks them in the other order.
#[mcp_tool(replayable)]
async fn moves(ctx: &Ctx<Trip>, seen: &Seen) -> Result<String> {
    let mut questions = ["Subscribe?", "Delete everything?"];
    if seen.is_deployed.load(Ordering::SeqCst) {
        questions.reverse();
    }
    let mut answers = Vec::new();
    for question in questions {
        let Sure { sure } = ctx.elicit::<Sure>(question).strict().await?;
        answers.push(format!("{question} {sure}"));
    }
    Ok(answers.join(" "))
}

/// Both versions ask with the keys `sure` and `sure#2`. A yes to one question must not become a yes to the other.
#[tokio::test]
async fn an_answer_stays_with_its_question_if_the_order_changes() {
    for (mut world, seen) in worlds() {
        let first = world.begin("moves").await;
        let second = world.answer("moves", &first, sure(true)).await;
        assert_eq!(asked(&second), ["sure#2"]);
        seen.is_deployed.store(true, Ordering::SeqCst);
        world.forget().await;
        let answer = json!({ "sure#2": sure(false)["sure"] });
        let done = world.answer("moves", &state(&second), answer).await;
        assert_eq!(text(&done), "Delete everything? false Subscribe? true");
    }
}

/// Asks as long as it may.
#[mcp_tool(replayable)]
async fn insists(ctx: &Ctx<Trip>) -> Result<()> {
    while !ctx.elicit::<Sure>(format!("Sure? ({} rounds left)", ctx.rounds_left())).strict().await?.sure {}
    Ok(())
}

#[tokio::test]
async fn limits_the_length_of_a_conversation() {
    for (mut world, _) in worlds() {
        let mut last = world.call("insists", json!({})).await;
        let mut messages = Vec::new();
        while last["result"]["resultType"] == "input_required" {
            let key = asked(&last)[0].to_owned();
            let message = &last["result"]["inputRequests"][&key]["params"]["message"];
            messages.push(message.as_str().unwrap().to_owned());
            let answer = json!({ key: sure(false)["sure"] });
            last = world.answer("insists", &state(&last), answer).await;
        }
        assert_eq!(text(&last), "the tool `insists` asked in more than 32 rounds");
        assert_eq!(last["result"]["isError"], true);
        assert_eq!(messages.len(), 32);
        assert_eq!((&*messages[0], &*messages[8]), ("Sure? (8 rounds left)", "Sure? (0 rounds left)"));
    }
}

/// A resource that is held until this value is dropped.
struct Held(Arc<AtomicUsize>);

impl Held {
    fn take(seen: &Seen) -> Self {
        assert_eq!(seen.held.fetch_add(1, Ordering::SeqCst), 0, "somebody holds it");
        Self(Arc::clone(&seen.held))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Holds something while it asks.
#[mcp_tool(replayable)]
async fn holds(ctx: &Ctx<Trip>, watched: &Arc<Watched>, seen: &Seen) -> Result<String> {
    let held = Held::take(seen);
    let Seat { seat } = ctx.elicit::<Seat>("Which seat?").strict().await?;
    watched.talk.pass().await;
    let Sure { sure } = ctx.elicit::<Sure>("Sure?").strict().await?;
    drop(held);
    Ok(format!("{seat} {sure}"))
}

#[tokio::test]
async fn dropping_the_future_releases_its_resources() {
    for (mut world, seen) in worlds() {
        // Each of two instances would keep a future, and so the resource.
        world.wires.truncate(1);
        let held = || seen.held.load(Ordering::SeqCst);
        let first = world.begin("holds").await;
        assert_eq!(held(), 1);
        world.forget().await;
        assert_eq!(held(), 0, "forgotten");

        let watched = world.watched.clone();
        watched.talk.close();
        let sent = world.send_answer("holds", &first, seat("12A")).await;
        watched.talk.reached(1).await;
        assert_eq!(held(), 1, "rebuilt");
        world.cancel(sent).await;
        tokio::task::yield_now().await;
        assert_eq!(held(), 0, "cancelled");

        watched.talk.open();
        let second = world.answer("holds", &first, seat("12A")).await;
        assert_eq!(held(), 1, "rebuilt again");
        assert_eq!(text(&world.answer("holds", &state(&second), sure(true)).await), "12A true");
        assert_eq!(held(), 0, "done");
    }
}

/// Gives its user half a minute, or so it says.
#[mcp_tool(replayable)]
async fn hurries(ctx: &Ctx<Trip>) -> Result<String> {
    match timeout(Duration::from_secs(30), ctx.elicit::<Seat>("Which seat?").strict()).await {
        Ok(seat) => Ok(seat?.seat),
        Err(_) => Ok("too late".to_owned()),
    }
}

/// The timer of the tool starts again in each replay. The `.timeout` of a question does not start again.
#[tokio::test(start_paused = true)]
async fn a_timer_around_a_question_does_not_lose_the_answer() {
    for forgets in [false, true] {
        for (mut world, _) in worlds() {
            let first = world.begin("hurries").await;
            sleep(Duration::from_secs(300)).await;
            if forgets {
                world.forget().await;
            }
            assert_eq!(text(&world.answer("hurries", &first, seat("12A")).await), "12A");
        }
    }
}

/// Has an answer for every error.
#[mcp_tool(replayable)]
async fn swallows(ctx: &Ctx<Trip>) -> String {
    let seat = ctx.elicit::<Seat>("Which seat?").strict().await.map_or("any seat".to_owned(), |seat| seat.seat);
    let sure = ctx.elicit::<Sure>("Sure?").strict().await.is_ok_and(|sure| sure.sure);
    format!("{seat} {sure}")
}

/// Waiting for an answer is not an error that the tool could catch.
#[tokio::test]
async fn a_question_is_asked_even_if_the_tool_ignores_errors() {
    for (mut world, _) in worlds() {
        let first = world.begin("swallows").await;
        world.forget().await;
        let second = world.answer("swallows", &first, seat("12A")).await;
        assert_eq!(asked(&second), ["sure"]);
        world.forget().await;
        assert_eq!(text(&world.answer("swallows", &state(&second), sure(true)).await), "12A true");
    }
}

/// Changes what it was given.
#[mcp_tool(replayable)]
async fn grows(ctx: &Ctx<Trip>, mut list: Vec<String>) -> Result<String> {
    list.push("before".to_owned());
    list.push(ctx.elicit::<Seat>(list.join(" ")).strict().await?.seat);
    ctx.elicit::<Sure>(list.join(" ")).strict().await?;
    Ok(list.join(" "))
}

#[tokio::test]
async fn a_replayed_call_starts_with_its_original_arguments() {
    for (mut world, _) in worlds() {
        let arguments = json!({ "list": ["given"] });
        let mut last = world.call("grows", json!({ "arguments": arguments })).await;
        for answer in [seat("12A"), sure(true)] {
            world.forget().await;
            let request = json!({
                "arguments": arguments, "requestState": state(&last), "inputResponses": answer,
            });
            last = world.call("grows", request).await;
        }
        assert_eq!(text(&last), "given before 12A");
    }
}

/// Data that the client must not see.
#[derive(Serialize, Deserialize)]
struct Card {
    secret: String,
}

struct Guess;

/// Has a card guessed.
#[handoff]
impl Guess {
    async fn before(&self, secret: Option<String>, length: Option<usize>) -> Card {
        Card { secret: secret.unwrap_or_default() + &"♠".repeat(length.unwrap_or_default()) }
    }

    async fn client(ctx: &Ctx<Trip>, _card: &Card) -> Result<String> {
        Ok(ctx.elicit::<Seat>("Which card?").strict().await?.seat)
    }

    async fn after(&self, card: Card, guess: String) -> String {
        format!("{} {}", card.secret == guess, card.secret.len())
    }
}

fn guess(state: Option<&Value>, guess: &str, arguments: &Value) -> Value {
    match state {
        Some(state) => json!({ "arguments": arguments, "requestState": state, "inputResponses": seat(guess) }),
        None => json!({ "arguments": arguments }),
    }
}

#[tokio::test]
async fn a_client_cannot_read_the_state() {
    for (mut world, _) in worlds() {
        let mut lengths = Vec::new();
        for secret in ["queen of hearts and of spades", "two of clubs"] {
            let arguments = json!({ "secret": secret });
            let first = state(&world.call("guess", guess(None, "", &arguments)).await);
            let carried = first.as_str().unwrap();
            lengths.push(carried.len());
            let bytes = carried.split('.').flat_map(|part| BASE64_URL_SAFE_NO_PAD.decode(part).unwrap_or_default());
            let bytes: Vec<_> = bytes.collect();
            assert!(cfg!(not(feature = "seal")) || 256 <= bytes.len(), "it is read: {carried}");
            assert!(!carried.contains(secret), "{carried}");
            assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "{carried}");
            let done = world.call("guess", guess(Some(&first), secret, &arguments)).await;
            assert_eq!(text(&done), format!("true {}", secret.len()));
        }
        assert_eq!(lengths[0], lengths[1], "nor how long it is");
    }
}

#[tokio::test]
async fn keeps_a_large_state_in_the_ledger() {
    for (mut world, _) in worlds() {
        let arguments = json!({ "length": 100_000 });
        let first = state(&world.call("guess", guess(None, "", &arguments)).await);
        assert!(first.as_str().unwrap().len() < 32 * 1024);
        world.forget().await;
        let done = world.call("guess", guess(Some(&first), "two", &arguments)).await;
        assert_eq!(text(&done), "false 300000");
    }
}
