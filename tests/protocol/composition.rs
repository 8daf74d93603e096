//! A tool calls tools of its server.

mod progress;
mod shared;

use std::sync::{Arc, Mutex};

use mcp_runtime::{Result, Revision, in_every_mode, prelude::*, testing::Client};
use serde_json::json;

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
