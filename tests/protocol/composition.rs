//! A tool calls tools of its server.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use mcp_runtime::{CallToolResult, Principal, Result, Revision, in_every_mode, layer, prelude::*, testing::Client};
use serde_json::json;
use tokio::{sync::Notify, time::timeout};

#[elicits]
enum Trip {
    Confirm { confirmed: bool },
}

/// What the tools have done, in order.
#[derive(Clone, Default)]
struct Done(Arc<Mutex<Vec<String>>>);

impl Done {
    fn add(&self, what: impl Into<String>) {
        self.0.lock().unwrap().push(what.into());
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

struct Book;

/// Books a seat, a room or a table, if the user confirms it.
#[handoff]
impl Book {
    async fn before(&self, done: &Done, what: String) -> Result<String> {
        if what == "nothing" {
            return Err("there is nothing to book".into());
        }
        done.add(format!("hold {what}"));
        Ok(what)
    }

    async fn client(ctx: &Ctx<Trip>, what: &String) -> Result<bool> {
        Ok(ctx.elicit::<Confirm>(format!("Book {what}?")).strict().await?.confirmed)
    }

    async fn after(&self, done: &Done, what: String, confirmed: bool) -> Result<String> {
        if !confirmed {
            return Err(format!("{what} is not wanted").into());
        }
        done.add(format!("book {what}"));
        Ok(format!("{what} booked"))
    }
}

/// Writes a line to the log of the trip.
#[mcp_tool]
async fn note(done: &Done, line: String) -> Text<usize> {
    done.add(format!("note {line}"));
    Text(line.len())
}

/// Books all things, one after another.
#[mcp_tool(replayable)]
async fn plan(ctx: &Ctx<Trip>, things: Vec<String>) -> Result<String> {
    let mut booked = Vec::new();
    for thing in things {
        booked.push(ctx.call_tool(Book::with(thing)).await?);
    }
    let booked = booked.join(", ");
    let length = ctx.call_tool(note::with(&*booked)).await?;
    Ok(format!("{booked} ({length})"))
}

/// Books two things at the same time.
#[mcp_tool(replayable)]
async fn plan_both(ctx: &Ctx<Trip>, one: String, other: String) -> Result<String> {
    let (one, other) = (ctx.call_tool(Book::with(one)), ctx.call_tool(Book::with(other)));
    let (one, other) = tokio::join!(one.into_future(), other.into_future());
    Ok(format!("{}, {}", one?, other?))
}

/// Books what can be booked, and says what cannot.
#[mcp_tool(replayable)]
async fn plan_some(ctx: &Ctx<Trip>) -> Result<String> {
    let nothing = ctx.call_tool(Book::with("nothing")).await.unwrap_err();
    let seat = ctx.call_tool(Book::with("seat")).await;
    let (Ok(text) | Err(text)) = seat.map_err(|error| error.to_string());
    Ok(format!("{nothing}; {text}"))
}

/// A handoff whose `client` calls a handoff.
struct Travel;

/// Travels to a city, with a booking on the way.
#[handoff]
impl Travel {
    async fn before(&self, done: &Done, to: String) -> String {
        done.add(format!("look up {to}"));
        to
    }

    async fn client(ctx: &Ctx<Trip>, to: &String) -> Result<String> {
        let seat = ctx.call_tool(Book::with(format!("seat to {to}"))).await?;
        let sure = ctx.elicit::<Confirm>("Travel now?").strict().await?;
        Ok(format!("{seat}, now: {}", sure.confirmed))
    }

    async fn after(&self, done: &Done, to: String, seat: String) -> String {
        done.add(format!("travel to {to}"));
        seat
    }
}

fn server(done: &Done) -> Server {
    Server::new("trips", "1")
        .state(done.clone())
        .tool(Book)
        .tool(Travel)
        .tools(tools![note, plan, plan_both, plan_some])
}

const YES: Confirm = Confirm { confirmed: true };

#[tokio::test]
async fn handoffs_in_a_loop_run_once_in_every_mode() {
    in_every_mode!(|mode| {
        let done = Done::default();
        let mut client = mode.client(|| server(&done));
        let call = client.call("plan", json!({ "things": ["seat", "room"] }));
        let planned = call.accept(YES).accept(YES).await;
        assert_eq!(planned.text(), "seat booked, room booked (24)");
        let expected = ["hold seat", "book seat", "hold room", "book room", "note seat booked, room booked"];
        assert_eq!(done.take(), expected);
    });
}

#[tokio::test]
async fn handoffs_at_the_same_time_run_once_in_every_mode() {
    in_every_mode!(|mode| {
        let done = Done::default();
        let mut client = mode.client(|| server(&done));
        let call = client.call("plan_both", json!({ "one": "seat", "other": "room" }));
        let planned = call.accept(YES).accept(YES).await;
        assert_eq!(planned.text(), "seat booked, room booked");
        // No step begins while a question is open: whichever handoff comes first, the other one waits.
        let mut done = done.take();
        done.sort();
        assert_eq!(done, ["book room", "book seat", "hold room", "hold seat"]);
    });
}

#[tokio::test]
async fn a_handoff_inside_a_handoff_runs_once_in_every_mode() {
    in_every_mode!(|mode| {
        let done = Done::default();
        let mut client = mode.client(|| server(&done));
        let travelled = client.call("travel", json!({ "to": "Oslo" })).accept(YES).accept(YES).await;
        assert_eq!(travelled.text(), "seat to Oslo booked, now: true");
        let expected = ["look up Oslo", "hold seat to Oslo", "book seat to Oslo", "travel to Oslo"];
        assert_eq!(done.take(), expected);
    });
}

#[tokio::test]
async fn the_errors_of_both_phases_are_kept_in_every_mode() {
    in_every_mode!(|mode| {
        let done = Done::default();
        let mut client = mode.client(|| server(&done));
        let planned = client.call("plan_some", ()).accept(Confirm { confirmed: false }).await;
        assert_eq!(planned.text(), "there is nothing to book; seat is not wanted");
        assert_eq!(done.take(), ["hold seat"]);
    });
}

#[tokio::test]
async fn questions_have_the_path_of_their_call() {
    let done = Done::default();
    let service = server(&done).build().unwrap();
    for revision in [Revision::V2025_11_25, Revision::LATEST] {
        let mut client = Client::new(&service, revision).capabilities(json!({ "elicitation": {} }));
        let planned = client.call("plan", json!({ "things": ["seat", "room"] })).accept(YES).accept(YES).await;
        let keys: Vec<_> = planned.asked().iter().map(|question| question.key().to_owned()).collect();
        assert_eq!(keys, ["book/confirm", "book#2/confirm"], "{revision}");
    }
}

/// Sends mail, which is an effect.
#[mcp_tool]
async fn send(done: &Done, to: String) -> Result<Text<usize>> {
    done.add(format!("send to {to}"));
    if to.is_empty() {
        return Err("nobody is named".into());
    }
    Ok(Text(to.len()))
}

/// Sends mail between two questions.
#[mcp_tool(replayable)]
async fn send_between(ctx: &Ctx<Trip>, to: String) -> Result<String> {
    ctx.elicit::<Confirm>("Send it?").strict().await?;
    let sent = ctx.call_tool(send::with(to)).await;
    let failed = ctx.call("send", json!({ "to": "" })).await.unwrap_err();
    let unfit = ctx.call("send", json!({ "too": 1 })).await?;
    ctx.elicit::<Confirm>("Was it right?").strict().await?;
    Ok(format!("{}, {failed}, {}", sent?, unfit.is_error()))
}

#[tokio::test]
async fn a_tool_that_does_not_ask_runs_once_in_every_mode() {
    in_every_mode!(|mode| {
        let done = Done::default();
        let mut client = mode.client(|| server(&done).tools(tools![send, send_between]));
        let sent = client.call("send_between", json!({ "to": "ada" })).accept(YES).accept(YES).await;
        assert_eq!(sent.text(), "3, nobody is named, true");
        assert_eq!(done.take(), ["send to ada", "send to "]);
    });
}

/// Asks, and cannot be run again.
#[mcp_tool]
async fn ask_once(ctx: &Ctx<Trip>) -> Result<Text<bool>> {
    Ok(Text(ctx.elicit::<Confirm>("Sure?").strict().await?.confirmed))
}

/// Calls a tool by its name.
#[mcp_tool]
async fn call(ctx: &Ctx, tool: String, arguments: serde_json::Value) -> Result<CallToolResult> {
    ctx.call(tool, arguments).await
}

/// Calls a tool by its name, and can be run again.
#[mcp_tool(replayable)]
async fn call_again(ctx: &Ctx, tool: String) -> Result<CallToolResult> {
    ctx.call(tool, ()).await
}

/// Calls itself, as often as it can.
#[mcp_tool(replayable)]
async fn dig(ctx: &Ctx, depth: u32) -> Result<Text<u32>> {
    Ok(Text(ctx.call_tool(dig::with(depth + 1)).await?))
}

/// Needs a scope.
#[mcp_tool(scopes("pay"))]
async fn pay() -> &'static str {
    "paid"
}

/// Takes longer than it may.
#[mcp_tool(timeout = "20ms", read_only)]
async fn slow() {
    std::future::pending::<()>().await;
}

fn callers() -> Server {
    Server::new("callers", "1").tools(tools![ask_once, call, call_again, dig, pay, slow])
}

#[tokio::test]
async fn what_cannot_be_called_says_why() {
    let service = callers().build().unwrap();
    for revision in [Revision::V2025_11_25, Revision::LATEST] {
        let mut client = Client::new(&service, revision).capabilities(json!({ "elicitation": {} }));
        let unknown = client.call("call", json!({ "tool": "fly", "arguments": {} })).await;
        assert_eq!(unknown.text(), "this server has no tool `fly`");
        let deep = client.call("dig", json!({ "depth": 1 })).await;
        let expected = "the tool `dig` is called within more than 8 other calls; do the tools call each other?";
        assert_eq!(deep.text(), expected);
        let slow = client.call("call", json!({ "tool": "slow", "arguments": {} })).await;
        assert_eq!(slow.text(), "the tool `slow` did not finish within 20ms");
    }
    let mut client = Client::new(&service, Revision::LATEST).capabilities(json!({ "elicitation": {} }));
    let again = client.call("call_again", json!({ "tool": "ask_once" })).await;
    let expected = "the tool `ask_once` can ask and is not `replayable`, so the tool `call_again`, which is, cannot \
                    call it; make it `replayable` or a handoff";
    assert_eq!(again.text(), expected);
}

#[tokio::test]
async fn the_guard_checks_who_calls_and_with_which_client() {
    let service = callers().build().unwrap();
    let anyone = Principal::new("ada").scopes(["read"]);
    let mut client = Client::new(&service, Revision::LATEST).principal(anyone);
    let refused = client.call("call", json!({ "tool": "pay", "arguments": {} })).await;
    assert!(refused.error().unwrap().message.contains("pay"), "{refused:?}");
    let mut client = Client::new(&service, Revision::LATEST).principal(Principal::new("ada").scopes(["pay"]));
    assert_eq!(client.call("call", json!({ "tool": "pay", "arguments": {} })).await.text(), "paid");
    let mut client = Client::new(&service, Revision::LATEST).capabilities(json!({}));
    let refused = client.call("call", json!({ "tool": "ask_once", "arguments": {} })).await;
    assert_eq!(refused.error().unwrap().code, -32021, "{refused:?}");
}

#[tokio::test]
async fn layers_run_around_each_call() {
    let done = Done::default();
    let seen = done.clone();
    let log = layer::from_fn(move |call: layer::CallInfo, next: layer::Next| {
        seen.add(format!("{}: {}", call.tool(), call.is_resumed()));
        next.run()
    });
    let other = Done::default();
    let service = server(&other).layer(log).build().unwrap();
    let mut client = Client::new(&service, Revision::LATEST).capabilities(json!({ "elicitation": {} })).rebuilding();
    let planned = client.call("plan", json!({ "things": ["seat"] })).accept(YES).await;
    assert_eq!(planned.text(), "seat booked (11)");
    assert_eq!(done.take(), ["plan: false", "book: false", "plan: true", "book: true", "note: false"]);
}

/// Pays, and takes its time.
#[mcp_tool]
async fn pay_slowly(done: &Done, go: &Go) -> &'static str {
    done.add("begin");
    go.0.notified().await;
    done.add("end");
    "paid"
}

/// Stops waiting for the payment at once.
#[mcp_tool(replayable)]
async fn give_up(ctx: &Ctx, go: &Go) -> Result<&'static str> {
    let paying = ctx.call_tool(pay_slowly::with()).into_future();
    let given_up = timeout(Duration::from_millis(20), paying).await.is_err();
    go.0.notify_one();
    Ok(if given_up { "gave up" } else { "waited" })
}

#[derive(Clone, Default)]
struct Go(Arc<Notify>);

#[tokio::test]
async fn a_step_that_has_begun_runs_to_its_end_without_its_caller() {
    let done = Done::default();
    let server = Server::new("s", "1").state(done.clone()).state(Go::default()).tools(tools![give_up, pay_slowly]);
    let service = server.build().unwrap();
    let mut client = Client::new(&service, Revision::LATEST);
    assert_eq!(client.call("give_up", ()).await.text(), "gave up");
    let ended = async {
        while done.0.lock().unwrap().len() < 2 {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(10), ended).await.unwrap();
    assert_eq!(done.take(), ["begin", "end"]);
}
