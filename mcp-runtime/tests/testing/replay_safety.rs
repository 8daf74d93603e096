//! Tools that are replayed, with the same questions or different ones.

use std::{
    collections::{HashMap, hash_map::RandomState},
    hash::BuildHasher as _,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, SystemTime},
};

use mcp_runtime::{
    Result, Revision, Server, Service,
    prelude::*,
    testing::{Client, ScriptedCall},
};

use crate::testing::support::{lead, panic_of};

#[elicits]
enum Trip {
    Seat { seat: String },
    Sure { sure: bool },
}

/// How many times each part has run.
#[derive(Clone, Default)]
struct Runs(Arc<[AtomicUsize; 3]>);

impl Runs {
    fn up(&self, index: usize) -> usize {
        self.0[index].fetch_add(1, Ordering::SeqCst) + 1
    }

    fn all(&self) -> [usize; 3] {
        self.0.each_ref().map(|runs| runs.load(Ordering::SeqCst))
    }
}

/// A tool that asks two questions with values from `before`.
struct Book(Runs);

/// Books a seat.
#[handoff]
impl Book {
    async fn before(&self) -> String {
        self.0.up(0);
        format!("{:x}", random())
    }

    async fn client(ctx: &Ctx<Trip>, offer: &String) -> Result<String> {
        let seat = ctx.elicit::<Seat>(format!("Which seat of offer {offer}?")).strict().await?.seat;
        ctx.elicit::<Sure>(format!("Seat {seat}?")).strict().await?;
        Ok(seat)
    }

    async fn after(&self, _offer: String, seat: String) -> String {
        self.0.up(2);
        seat
    }
}

fn random() -> u64 {
    RandomState::new().hash_one(0)
}

/// Asks two things at once and then another.
#[mcp_tool(replayable)]
async fn steady(ctx: &Ctx<Trip>, runs: &Runs) -> Result<String> {
    runs.up(1);
    let (seat, sure) = tokio::try_join!(ctx.elicit::<Seat>("Seat?").strict(), ctx.elicit::<Sure>("Sure?").strict())?;
    let again = ctx.elicit::<Sure>(format!("Really {}?", seat.seat)).strict().await?;
    Ok(format!("{} {}", sure.sure, again.sure))
}

/// Asks with a number that grows.
#[mcp_tool(replayable)]
async fn counted(ctx: &Ctx<Trip>, runs: &Runs) -> Result<()> {
    let run = runs.up(1);
    ctx.elicit::<Sure>("Sure?").strict().await?;
    ctx.elicit::<Seat>(format!("Which seat? ({run})")).strict().await?;
    Ok(())
}

/// Asks with the time of day.
#[mcp_tool(replayable)]
async fn clocked(ctx: &Ctx<Trip>) -> Result<()> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_secs();
    ctx.elicit::<Sure>(format!("Now, at {now}?")).strict().await?;
    Ok(())
}

/// Offers seats in whatever order a map has them.
#[mcp_tool(replayable)]
async fn unordered(ctx: &Ctx<Trip>) -> Result<()> {
    let seats: HashMap<_, _> = (0..20).map(|row| (format!("{row}A"), row)).collect();
    ctx.elicit::<Seat>("Which seat?").choices(Seat::SEAT, seats.into_keys()).strict().await?;
    Ok(())
}

/// Proposes whatever is free.
#[mcp_tool(replayable)]
async fn proposes(ctx: &Ctx<Trip>, runs: &Runs) -> Result<()> {
    let seat = format!("{}A", runs.up(1));
    ctx.elicit::<Seat>("Which seat?").default_for(Seat::SEAT, seat).strict().await?;
    Ok(())
}

/// Sends to a page that is made anew each time.
#[mcp_tool(replayable)]
async fn page(ctx: &Ctx<Trip>) -> Result<()> {
    ctx.elicit_url("pay", format!("https://example.com/{:x}", random()), "Pay").await?;
    Ok(())
}

/// Asks the first time only.
#[mcp_tool(replayable)]
async fn moody(ctx: &Ctx<Trip>, runs: &Runs) -> Result<()> {
    ctx.elicit::<Sure>("Sure?").strict().await?;
    if runs.up(1) == 1 {
        ctx.elicit::<Seat>("Which seat?").strict().await?;
    }
    Ok(())
}

/// Asks of a clock, a random number and steps.
#[mcp_tool(replayable)]
async fn stepwise(ctx: &Ctx<Trip>, runs: &Runs) -> Result<String> {
    let first = ctx.step("first", async { runs.up(0) }).await?;
    let now = ctx.now().duration_since(SystemTime::UNIX_EPOCH)?.as_nanos();
    ctx.elicit::<Sure>(format!("{first} {now} {}?", ctx.random())).strict().await?;
    let second = ctx.step("second", async { runs.up(1) }).await?;
    let now = ctx.now().duration_since(SystemTime::UNIX_EPOCH)?.as_nanos();
    ctx.elicit::<Seat>(format!("{second} {now} {}?", ctx.random())).strict().await?;
    let third = ctx.step("third", async { runs.up(2) }).await?;
    Ok(format!("{first} {second} {third}"))
}

/// Asks the same as long as nothing has come after it.
#[mcp_tool(replayable)]
async fn forgetful(ctx: &Ctx<Trip>, runs: &Runs) -> Result<()> {
    let message = if runs.all()[1] == 0 { "Which seat?" } else { "Which seat, again?" };
    ctx.elicit::<Seat>(message).strict().await?;
    runs.up(1);
    ctx.elicit::<Sure>("Sure?").strict().await?;
    Ok(())
}

/// Must not be run again.
#[mcp_tool]
async fn single(ctx: &Ctx<Trip>) -> Result<()> {
    ctx.elicit::<Sure>("Sure?").strict().await?;
    Ok(())
}

/// Takes an hour when it is run again.
#[mcp_tool(replayable)]
async fn slow(ctx: &Ctx<Trip>, runs: &Runs) -> Result<()> {
    if runs.up(1) > 1 {
        tokio::time::sleep(Duration::from_secs(3600)).await;
    }
    ctx.elicit::<Sure>("Sure?").strict().await?;
    Ok(())
}

fn service(runs: &Runs) -> Service {
    Server::new("trips", "1")
        .state(runs.clone())
        .tools(tools![steady, counted, clocked, unordered, proposes, page, moody, stepwise, forgetful, single, slow])
        .tool(Book(runs.clone()))
        .build()
        .unwrap()
}

fn sure() -> Sure {
    Sure { sure: true }
}

fn seat() -> Seat {
    Seat { seat: "1A".to_owned() }
}

/// Returns the text of the panic for this call.
async fn checked(tool: &str, script: impl Fn(ScriptedCall<'_>) -> ScriptedCall<'_>) -> String {
    let mut client = Client::modern(&service(&Runs::default()));
    panic_of(script(client.call(tool, ())).assert_replay_safe().into_future()).await
}

#[tokio::test]
async fn a_handoff_whose_questions_use_the_handoff_is_replay_safe() {
    let runs = Runs::default();
    let mut client = Client::modern(&service(&runs));
    let booked = client.call("book", ()).accept(seat()).accept(sure()).assert_replay_safe().await;
    assert_eq!(booked.text(), "1A");
    assert_eq!(runs.all(), [1, 0, 1]);
}

#[tokio::test(start_paused = true)]
async fn a_tool_with_constant_questions_is_replay_safe_and_really_runs() {
    let runs = Runs::default();
    let mut client = Client::modern(&service(&runs));
    let call = client.call("steady", ()).accept(seat()).accept(sure()).accept(Sure { sure: false });
    assert_eq!(call.assert_replay_safe().await.text(), "true false");
    // Once normally, and four times in each of two rounds.
    assert_eq!(runs.all()[1], 1 + 2 * 4);
}

#[tokio::test]
async fn replays_an_invalid_answer_too() {
    let mut client = Client::modern(&service(&Runs::default()));
    let nonsense = serde_json::json!({ "action": "accept", "content": { "seat": 7 } });
    let call = client.call("book", ()).answer(nonsense).accept(seat()).accept(sure());
    assert_eq!(call.assert_replay_safe().await.asked().len(), 3);
}

#[tokio::test]
async fn a_tool_whose_questions_use_steps_is_replay_safe() {
    let runs = Runs::default();
    let mut client = Client::modern(&service(&runs)).principal("ada");
    let call = client.call("stepwise", ()).accept(sure()).accept(seat());
    assert_eq!(call.assert_replay_safe().await.text(), "1 1 1");
    assert_eq!(runs.all(), [1, 1, 1]);
}

/// Checks the text of a panic: the difference, both versions, and the advice.
#[track_caller]
fn says(text: &str, tool: &str, what: &str, sides: [&str; 2]) {
    let (head, rest) = lead(text).split_once('\n').unwrap();
    assert!(head.starts_with(&format!("the call of `{tool}` (mcp-runtime/tests/testing/replay_safety.rs:")), "{text}");
    let differs = format!(") is not replay-safe: the call was run again with the same answers and differed in {what}");
    assert!(head.ends_with(&differs), "{text}");
    let [first, again, mark, advice] = rest.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
    assert!(first.starts_with(&format!("  at first: {}", sides[0])), "{text}");
    assert!(again.starts_with(&format!("  again:    {}", sides[1])), "{text}");
    let mark = mark.chars().position(|mark| mark == '^').unwrap();
    assert_ne!(first.chars().nth(mark), again.chars().nth(mark), "{text}");
    let expected = "a question must not depend on a clock, a random number, the order of a `HashMap` or data that \
                    changes: get such values in `before`, or with `ctx.now()`, `ctx.random()` or `ctx.step(…)`";
    assert_eq!(advice, expected);
    assert!(text.contains("\n\nmessages:\n→ {\"id\":1"), "{text}");
}

#[tokio::test]
async fn finds_a_message_with_a_counter() {
    let text = checked("counted", |call| call.accept(sure()).accept(seat())).await;
    says(&text, "counted", "the message of the question `seat`", [r#""Which seat? (1)""#, r#""Which seat? ("#]);
}

#[tokio::test]
async fn finds_a_message_with_the_time() {
    let text = checked("clocked", |call| call.accept(sure())).await;
    says(&text, "clocked", "the message of the question `sure`", [r#""Now, at "#, r#""Now, at "#]);
}

#[tokio::test(start_paused = true)]
async fn finds_a_message_with_the_time_under_a_paused_clock() {
    let text = checked("clocked", |call| call.accept(sure())).await;
    says(&text, "clocked", "the message of the question `sure`", [r#""Now, at "#, r#""Now, at "#]);
}

#[tokio::test]
async fn finds_choices_in_the_order_of_a_map() {
    let text = checked("unordered", |call| call.accept(seat())).await;
    says(&text, "unordered", "the choices of the field `seat` of the question `seat`", [r#"[""#, r#"[""#]);
}

#[tokio::test]
async fn finds_a_default_from_changing_data() {
    let text = checked("proposes", |call| call.accept(seat())).await;
    says(&text, "proposes", "the default of the field `seat` of the question `seat`", [r#""1A""#, r#""2A""#]);
}

#[tokio::test]
async fn finds_a_page_with_a_random_url() {
    let text = checked("page", |call| call.accept_url()).await;
    says(&text, "page", "the page of the question `pay`", [r#""https://example.com/"#, r#""https://example.com/"#]);
}

#[tokio::test]
async fn finds_a_conditional_question() {
    let text = checked("moody", |call| call.accept(sure()).accept(seat())).await;
    says(&text, "moody", "whether the question `seat` is asked", [r#""Which seat?""#, "it is not asked"]);
}

#[tokio::test]
async fn finds_a_question_that_changes_after_its_answer() {
    let text = checked("forgetful", |call| call.accept(seat()).accept(sure())).await;
    says(&text, "forgetful", "the message of the question `seat`", [r#""Which seat?""#, r#""Which seat, again?""#]);
}

#[tokio::test]
async fn refuses_to_check_a_call_that_is_never_replayed() {
    let unchecked = |text: &str, tool: &str, why: &str| {
        let at = format!("cannot check whether the call of `{tool}` (mcp-runtime/tests/testing/replay_safety.rs:");
        assert!(text.starts_with(&at), "{text}");
        assert!(text.ends_with(&format!(") is replay-safe: {why}")), "{text}");
    };
    let text = checked("single", |call| call.accept(sure())).await;
    unchecked(&text, "single", "the tool is never replayed, because it is neither a handoff nor `replayable`");
    unchecked(&checked("missing", |call| call).await, "missing", "the server has no tool of this name");

    let mut session = Client::new(&service(&Runs::default()), Revision::V2025_11_25);
    let text = panic_of(session.call("steady", ()).assert_replay_safe().into_future()).await;
    unchecked(&text, "steady", "a call in a session of 2025-11-25 is never replayed; use `Client::modern`");
}

#[tokio::test]
async fn a_replay_that_does_not_end_stops_at_the_limit() {
    let mut client = Client::modern(&service(&Runs::default())).limit(Duration::from_millis(20));
    let call = client.call("slow", ()).accept(sure()).assert_replay_safe();
    let text = panic_of(call.into_future()).await;
    assert!(text.contains("): the call did not end within 1.02s; to allow more time, use `Client::limit`"), "{text}");
}
