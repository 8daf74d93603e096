//! The code of the page `plugin`.
#![allow(dead_code, reason = "the page includes it, and the tests use most of it")]

use std::error::Error;

use axum::{
    Router,
    extract::Request,
    middleware::{self, Next},
    response::Response,
};
use mcp_runtime::{
    Elicited, Principal,
    elicit::ElicitRequest,
    plugin::{Plugin, PluginHost, TimelineEventKind},
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

// ANCHOR: tool
use mcp_runtime::{Result, prelude::*};

#[elicits]
#[derive(Debug)]
pub(crate) enum Reserving {
    PickRoom { room: String },
    Confirm { confirmed: bool },
}

pub(crate) struct ReserveRoom;

/// Reserves a meeting room together with the user.
#[handoff]
impl ReserveRoom {
    async fn before(&self, seats: u32) -> Result<Vec<String>> {
        let rooms = [("Cedar", 4), ("Maple", 8), ("Oak", 20)];
        let free: Vec<_> = rooms.iter().filter(|room| room.1 >= seats).map(|room| room.0.to_owned()).collect();
        if free.is_empty() { Err("no room has so many seats".into()) } else { Ok(free) }
    }

    async fn client(ctx: &Ctx<Reserving>, free: &Vec<String>) -> Result<Option<String>> {
        let ask = ctx.elicit::<PickRoom>("Which room?").choices(PickRoom::ROOM, free.clone());
        let Elicited::Accept(picked) = ask.await? else { return Ok(None) };
        let sure = ctx.elicit::<Confirm>(format!("Reserve {}?", picked.room)).strict().await?;
        Ok(sure.confirmed.then_some(picked.room))
    }

    async fn after(&self, _free: Vec<String>, room: Option<String>) -> String {
        room.map_or("Nothing is reserved.".into(), |room| format!("{room} is reserved."))
    }
}
// ANCHOR_END: tool

// ANCHOR: handler
/// The user interface. A real one shows the question and waits for its user.
struct Desk;

impl ReservingHandler for Desk {
    async fn pick_room(&self, request: ElicitRequest<'_, PickRoom>) -> Elicited<PickRoom> {
        match request.choices(PickRoom::ROOM).first() {
            Some(room) => Elicited::Accept(PickRoom { room: room.value.clone() }),
            None => Elicited::Decline,
        }
    }

    async fn confirm(&self, request: ElicitRequest<'_, Confirm>) -> Elicited<Confirm> {
        Elicited::Accept(Confirm { confirmed: request.message() == "Reserve Maple?" })
    }
}
// ANCHOR_END: handler

// ANCHOR: start
async fn reserve(seats: u32) -> Result<String, Box<dyn Error>> {
    let reserve_room = Plugin::new(ReserveRoom).on_elicit(Desk).start(Server::new("desk", "1.0.0")).await?;
    let mut call = reserve_room.call(json!({ "seats": seats })).await?;
    while let Some(event) = call.next_event().await {
        if let TimelineEventKind::Elicit { question, .. } = event.kind {
            eprintln!("{}", question.message);
        }
    }
    Ok(call.outcome().await.text())
}
// ANCHOR_END: start

// ANCHOR: host
/// Starts a host whose questions a page answers: no handler is given.
async fn host() -> Result<PluginHost, Box<dyn Error>> {
    let server = Server::new("desk", "1.0.0").tool(ReserveRoom);
    Ok(PluginHost::builder(server).start().await?)
}

/// Runs the tool that the model of a chat has called, for one user of the chat. Returns the text for the model.
async fn run(host: &PluginHost, user: &str, tool: &str, arguments: Value) -> String {
    match host.call_as(user, tool, arguments).await {
        Ok(call) => call.outcome().await.text(),
        Err(error) => error.to_string(),
    }
}
// ANCHOR_END: host

// ANCHOR: router
/// The routes for the page. The middleware says who the user is.
fn app(host: &PluginHost) -> Router {
    Router::new().nest("/plugins", host.router().layer(middleware::from_fn(identify)))
}

async fn identify(mut request: Request, next: Next) -> Response {
    // A real application reads the session of its user.
    request.extensions_mut().insert(Principal::new("ann"));
    next.run(request).await
}
// ANCHOR_END: router

// ANCHOR: view
use mcp_runtime::CallToolResult;

#[mcp_view("ui://rooms/plan", html = "rooms.html", title = "Rooms")]
struct RoomPlan;

#[derive(Serialize, JsonSchema)]
struct Rooms {
    free: Vec<String>,
}

/// Shows which rooms are free today.
#[mcp_tool(view = RoomPlan, read_only)]
async fn show_rooms() -> Result<CallToolResult> {
    let rooms = Rooms { free: vec!["Cedar".to_owned(), "Oak".to_owned()] };
    Ok(CallToolResult::json(&rooms)?.text("Free today: Cedar and Oak."))
}
// ANCHOR_END: view

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::{body::Body, http::StatusCode};
    use mcp_runtime::{
        Revision,
        plugin::{CallStatus, PluginCall, PluginError, PluginQuestion},
        testing::Client,
    };
    use tower::ServiceExt as _;

    use super::*;

    async fn question(call: &PluginCall) -> PluginQuestion {
        loop {
            if let Some(question) = call.question() {
                return question;
            }
            assert!(call.status().is_open());
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    #[tokio::test]
    async fn a_handler_answers_the_forms() {
        assert_eq!(reserve(6).await.unwrap(), "Maple is reserved.");
        assert_eq!(reserve(20).await.unwrap(), "Nothing is reserved.");
        assert_eq!(reserve(30).await.unwrap(), "no room has so many seats");
    }

    #[tokio::test]
    async fn without_a_handler_the_timeline_asks_and_a_wrong_answer_leaves_the_question_open() {
        let host = host().await.unwrap();
        let call = host.call_as("ann", "reserve_room", json!({ "seats": 6 })).await.unwrap();
        let asked = question(&call).await;
        assert_eq!((call.status(), &*asked.message), (CallStatus::InputRequired, "Which room?"));
        // What `before` has returned is a part of the question.
        assert_eq!(asked.handoff, Some(json!(["Maple", "Oak"])));
        assert!(host.find_as("bob", call.id()).await.is_err());

        let wrong = call.answer(asked.seq, Elicited::Accept(PickRoom { room: "Cedar".into() })).await;
        assert!(matches!(wrong, Err(PluginError::InvalidAnswer(_))), "{wrong:?}");
        call.answer(asked.seq, Elicited::Accept(PickRoom { room: "Oak".into() })).await.unwrap();
        while question(&call).await.seq == asked.seq {
            tokio::task::yield_now().await;
        }
        let late = call.answer(asked.seq, Elicited::<PickRoom>::Decline).await;
        assert!(matches!(late, Err(PluginError::AlreadyAnswered)), "{late:?}");
        call.answer(question(&call).await.seq, Elicited::Accept(Confirm { confirmed: true })).await.unwrap();
        assert_eq!(call.outcome().await.text(), "Oak is reserved.");
    }

    #[tokio::test]
    async fn an_unknown_tool_is_text_for_the_model() {
        let host = host().await.unwrap();
        assert!(run(&host, "ann", "reserve_a_room", json!({})).await.contains("reserve_a_room"));
    }

    #[tokio::test]
    async fn the_routes_need_a_user_and_a_local_host() {
        let host = host().await.unwrap();
        let request = |name: &str| Request::get("/plugins/tools").header("host", name).body(Body::empty()).unwrap();
        let identified = app(&host).oneshot(request("localhost")).await.unwrap();
        assert_eq!(identified.status(), StatusCode::OK);
        let elsewhere = app(&host).oneshot(request("desk.example.com")).await.unwrap();
        assert_eq!(elsewhere.status(), StatusCode::FORBIDDEN);
        let unknown = Router::new().nest("/plugins", host.router()).oneshot(request("localhost")).await.unwrap();
        assert_eq!(unknown.status(), StatusCode::UNAUTHORIZED);
    }

    #[tokio::test]
    async fn clients_without_views_get_the_text() {
        let service = Server::new("rooms", "1.0.0").tools(tools![show_rooms]).build().unwrap();
        let mut client = Client::modern(&service);
        let view = client.view("show_rooms").await;
        assert_eq!(view.uri(), "ui://rooms/plan");
        assert!(view.html().contains("connectView"));
        for revision in Revision::ALL {
            let shown = Client::new(&service, revision).call("show_rooms", ()).await;
            assert_eq!(shown.text(), "Free today: Cedar and Oak.", "{revision}");
        }
    }

    #[tokio::test]
    async fn the_same_tool_serves_mcp_clients() {
        let host = host().await.unwrap();
        for revision in [Revision::V2025_06_18, Revision::LATEST] {
            let mut client = Client::new(host.server(), revision);
            let call = client.call("reserve_room", json!({ "seats": 20 }));
            let reserved = call.accept(PickRoom { room: "Oak".into() }).accept(Confirm { confirmed: true }).await;
            assert_eq!(reserved.text(), "Oak is reserved.");
        }
    }
}
