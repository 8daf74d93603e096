//! Tools that differ between modes, and the text of the panic.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use mcp_runtime::{
    Call, Result, Server, Tool,
    call::CallFuture,
    prelude::*,
    testing::{ScriptedCall, in_every_mode},
    tool::{Arguments, ArgumentsError, ToolDefinition},
};

use crate::{
    support::panics::panics,
    testing::support::{lead, panic_of},
};

#[elicits]
enum Trip {
    Seat { seat: String },
    Sure { sure: bool },
}

/// How often a tool has run.
#[derive(Clone, Default)]
struct Runs(Arc<AtomicUsize>);

impl Runs {
    fn up(&self) -> usize {
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }
}

/// Asks with a number that grows.
#[mcp_tool(replayable)]
async fn counted(ctx: &Ctx<Trip>, runs: &Runs) -> Result<String> {
    let seat = ctx.elicit::<Seat>(format!("Which seat? ({})", runs.up())).strict().await?;
    ctx.elicit::<Sure>("Sure?").strict().await?;
    Ok(seat.seat)
}

/// Offers seats in whatever order a map has them.
#[mcp_tool(replayable)]
async fn unordered(ctx: &Ctx<Trip>) -> Result<String> {
    let seats: HashMap<_, _> = (0..20).map(|row| (format!("{row}A"), row)).collect();
    let seat = ctx.elicit::<Seat>("Which seat?").choices(Seat::SEAT, seats.into_keys()).strict().await?;
    ctx.elicit::<Sure>("Sure?").strict().await?;
    Ok(seat.seat)
}

/// Tells how often it has run.
#[mcp_tool(replayable)]
async fn tells_runs(ctx: &Ctx<Trip>, runs: &Runs) -> Result<String> {
    let runs = runs.up();
    ctx.elicit::<Sure>("Sure?").strict().await?;
    Ok(format!("booked in run {runs}"))
}

/// Books before it asks.
#[mcp_tool(replayable)]
async fn hasty(ctx: &Ctx<Trip>, runs: &Runs) -> Result<&'static str> {
    runs.up();
    ctx.elicit::<Sure>("Keep it?").strict().await?;
    Ok("booked")
}

/// Asks in sessions only.
#[mcp_tool(replayable)]
async fn shy(ctx: &Ctx<Trip>) -> Result<&'static str> {
    ctx.elicit::<Sure>("Sure?").strict().await?;
    if ctx.client().revision().is_modern() {
        return Ok("done");
    }
    let seat = ctx.elicit::<Seat>("Which seat?").strict().await?;
    assert!(!seat.seat.is_empty());
    Ok("done")
}

/// Asks in rounds only.
#[mcp_tool(replayable)]
async fn bold(ctx: &Ctx<Trip>) -> Result<&'static str> {
    ctx.elicit::<Sure>("Sure?").strict().await?;
    if ctx.client().revision().is_modern() {
        ctx.elicit::<Seat>("Which seat?").strict().await?;
    }
    Ok("done")
}

/// Fails when it is run again.
#[mcp_tool(replayable)]
async fn tired(ctx: &Ctx<Trip>, runs: &Runs) -> Result<&'static str> {
    let runs = runs.up();
    ctx.elicit::<Sure>("Sure?").strict().await?;
    if runs == 1 { Ok("done") } else { Err("too tired".into()) }
}

struct Note;

/// Notes something.
#[handoff]
impl Note {
    async fn before(runs: &Runs) -> usize {
        runs.up()
    }

    async fn client(_ctx: &Ctx, _number: &usize) {}

    async fn after(number: usize, (): ()) -> String {
        format!("note {number}")
    }
}

/// Calls another tool twice.
struct Twice;

impl Tool for Twice {
    fn definition(&self) -> ToolDefinition {
        Note.definition()
    }

    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        let [first, second] = [Note.call(call.clone(), arguments)?, Note.call(call, arguments)?];
        Ok(Box::pin(async move {
            first.await?;
            second.await
        }))
    }
}

fn server() -> Server {
    let server = Server::new("trips", "1").state(Runs::default());
    server.tools(tools![counted, unordered, tells_runs, hasty, shy, bold, tired]).tool(Twice)
}

fn sure() -> Sure {
    Sure { sure: true }
}

fn seat() -> Seat {
    Seat { seat: "1A".to_owned() }
}

const FIRST: &str = "2026-07-28";
const REBUILT: &str = "2026-07-28, rebuilt in every round";
const AGAIN: &str = "code outside `before`, `after` and `ctx.step(…)` runs again in a replay, so it must depend only \
     on the arguments, the handoff and the answers; get other values from `ctx.now()`, `ctx.random()` or `ctx.step(…)`";
const OTHERWISE: &str = "a clock, a random number and the order of a `HashMap` differ in every call, and the client's \
     revision differs between modes; if that is intended, mark the call with `.varies()`, and compare the rest with \
     `mode.same(…)`";

/// Returns the text of the panic of a test that makes this call in every mode.
async fn differs(tool: &str, script: impl Fn(ScriptedCall<'_>) -> ScriptedCall<'_>) -> String {
    panic_of(async {
        in_every_mode!(|mode| script(mode.client(server).call(tool, ())).await);
    })
    .await
}

/// Checks the text of a panic: the difference, both modes, and the advice.
#[track_caller]
fn says(text: &str, tool: &str, what: &str, sides: [(&str, &str); 2], advice: &str) {
    let (head, rest) = lead(text).split_once('\n').unwrap();
    let at = format!("the call of `{tool}` (mcp-runtime/tests/testing/mode_differences.rs:");
    assert!(head.starts_with(&at) && head.ends_with(&format!(") differs between modes in {what}")), "{text}");
    let lines: Vec<_> = rest.lines().collect();
    let [first, second, mark, last] = lines[..] else { panic!("{text}") };
    for (line, (mode, shown)) in [first, second].into_iter().zip(sides) {
        let (label, value) = line.split_at(line.find(": ").unwrap() + 1);
        assert_eq!((label.trim(), value.trim()), (&*format!("{mode}:"), shown), "{text}");
    }
    let mark = mark.chars().position(|mark| mark == '^').unwrap();
    let parts = |line: &str| line.chars().nth(mark);
    assert_ne!(parts(first), parts(second), "{text}");
    assert_eq!(last, advice, "{text}");
    for (mode, _) in sides {
        assert!(text.contains(&format!("\n\nmessages in the mode `{mode}`:\n→ {{\"id\":")), "{text}");
    }
}

#[tokio::test]
async fn finds_a_message_with_a_counter() {
    let text = differs("counted", |call| call.accept(seat()).accept(sure())).await;
    let sides = [(FIRST, r#""Which seat? (1)""#), (REBUILT, r#""Which seat? (2)""#)];
    says(&text, "counted", "the message of the question `seat`", sides, AGAIN);
    // Briefly.
    assert!(text.contains(r#"→ {"id":1,"method":"tools/call","params":{"name":"counted"}}"#), "{text}");
    assert!(!text.contains("_meta") && text.lines().all(|line| line.chars().count() < 420), "{text}");
}

#[tokio::test]
async fn finds_choices_in_the_order_of_a_map() {
    let text = differs("unordered", |call| call.accept(seat()).accept(sure())).await;
    let what = "differs between modes in the choices of the field `seat` of the question `seat`\n  2026-07-28: [\"";
    assert!(text.contains(what) && text.contains(OTHERWISE), "{text}");
}

#[tokio::test]
async fn finds_a_result_that_changes_in_a_replay() {
    let text = differs("tells_runs", |call| call.accept(sure())).await;
    let sides = [(FIRST, r#""booked in run 1""#), (REBUILT, r#""booked in run 2""#)];
    says(&text, "tells_runs", "the result", sides, AGAIN);

    let text = differs("tired", |call| call.accept(sure())).await;
    let sides = [(FIRST, r#"[{"type":"text","text":"done"}]"#), (REBUILT, r#"[{"type":"text","text":"too tired"}]"#)];
    says(&text, "tired", "whether the call failed", sides, AGAIN);
}

#[tokio::test]
async fn finds_a_question_in_one_mode_only() {
    let session = "2025-11-25";
    let asked = r#"`seat` (elicitation/create: "Which seat?")"#;
    let text = differs("shy", |call| call.accept(sure())).await;
    let sides = [(FIRST, "it is not asked, or asked fewer times"), (session, asked)];
    says(&text, "shy", "whether the question `seat` is asked", sides, OTHERWISE);

    let text = differs("bold", |call| call.accept(sure()).accept(seat())).await;
    let sides = [(FIRST, asked), (session, "it is not asked")];
    says(&text, "bold", "whether the question `seat` is asked", sides, OTHERWISE);
}

#[tokio::test]
async fn finds_an_effect_before_the_question() {
    let text = panic_of(async {
        in_every_mode!(|mode| {
            let runs = Runs::default();
            let server = || Server::new("trips", "1").state(runs.clone()).tools(tools![hasty]);
            mode.client(server).call("hasty", ()).accept(sure()).await;
            mode.same("bookings", runs.0.load(Ordering::SeqCst));
        });
    });
    let text = text.await;
    let (head, rest) = lead(&text).split_once('\n').unwrap();
    assert!(head.starts_with("`bookings` (mcp-runtime/tests/testing/mode_differences.rs:"), "{text}");
    let expected = [
        "  2026-07-28:                         1",
        "  2026-07-28, rebuilt in every round: 2",
        "                                      ^",
        AGAIN,
    ];
    assert!(head.ends_with(") differs between modes") && rest.lines().eq(expected), "{text}");
    assert!(text.contains("\n\nmessages in the mode `2026-07-28, rebuilt in every round`:\n→"), "{text}");
}

#[tokio::test]
async fn finds_an_effect_that_runs_twice() {
    let text = differs("note", |call| call).await;
    assert!(text.starts_with("`after` ran more than once in the call of `note` (mcp-runtime/tests/"), "{text}");
    assert!(text.ends_with(") in the mode `2026-07-28`: `after` 2 times, `before` once"), "{text}");
}

#[tokio::test]
async fn finds_a_test_that_differs_between_modes() {
    let text = panic_of(async { in_every_mode!(|mode| drop(mode.client(server))) }).await;
    assert_eq!(text, "the test calls no tool: create a client with `mode.client(…)`");

    let more = panic_of(async {
        in_every_mode!(|mode| {
            let mut client = mode.client(server);
            client.call("hasty", ()).accept(sure()).await;
            if !mode.revision().is_modern() {
                client.call("hasty", ()).accept(sure()).await;
            }
        });
    });
    let more = more.await;
    assert!(more.ends_with(") is made in the mode `2025-11-25`, but not in `2026-07-28`"), "{more}");

    let fewer = panic_of(async {
        in_every_mode!(|mode| {
            mode.client(server).call("hasty", ()).accept(sure()).await;
            if mode.revision().is_modern() {
                mode.same("nothing", ());
            }
        });
    });
    let expected = [
        "the number of calls or compared values differs between modes",
        "  2026-07-28: 1 calls, 1 values compared",
        "  2025-11-25: 1 calls, 0 values compared",
        "                       ^",
    ];
    assert_eq!(fewer.await, expected.join("\n"));

    let other = panic_of(async {
        in_every_mode!(|mode| {
            let tool = if mode.revision().is_modern() { "hasty" } else { "tells_runs" };
            mode.client(server).call(tool, ()).accept(sure()).await;
        });
    });
    let other = other.await;
    assert!(lead(&other).contains(" differs between modes in what is requested\n"), "{other}");
}

#[tokio::test]
async fn a_script_that_does_not_fit_names_its_mode() {
    let text = differs("hasty", |call| call).await;
    let place = ", in the mode `2026-07-28`): the question `sure` (elicitation/create: \"Keep it?\") has no answer";
    assert!(
        text.starts_with("the script does not fit the call of `hasty` (mcp-runtime/") && text.contains(place),
        "{text}"
    );
}

#[tokio::test]
async fn the_panic_is_at_the_line_of_the_test() {
    panics();
    let line = line!();
    let call = async {
        in_every_mode!(|mode| {
            mode.client(server).call("tells_runs", ()).accept(sure()).await;
        });
    };
    panic_of(call).await;
    let value = async {
        in_every_mode!(|mode| {
            mode.client(server).call("hasty", ()).accept(sure()).await;
            mode.same("a mode", mode.name().to_owned());
        });
    };
    panic_of(value).await;
    let none = async {
        in_every_mode!(|mode| drop(mode.client(server)));
    };
    panic_of(none).await;
    let seen: Vec<_> = panics().into_iter().filter(|panic| panic.file == file!()).map(|panic| panic.line).collect();
    assert!([3, 10, 15].iter().all(|after| seen.contains(&(line + after))), "{line} {seen:?}");
}
