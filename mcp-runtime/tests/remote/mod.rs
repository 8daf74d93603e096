//! A tool calls tools of other servers.

mod bad_servers;
mod busy;
mod keys;
mod lost_replies;
mod servers;
mod sessions;
mod studio;
mod tasks;
mod timeouts;

use std::time::Duration;

use mcp_runtime::{
    CallToolResult, Result, Revision, in_every_mode,
    prelude::*,
    remote::{Remote, RemoteError},
    testing::{Client, Reply},
};
use serde_json::{Value, json};
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};

use self::servers::shop;
use crate::support::remote_servers::{Kind, Started, YES};

/// Books a thing at another server, and then takes a note there.
#[mcp_tool(replayable)]
async fn plan(ctx: &Ctx, shop: &Remote, what: String) -> Result<String> {
    let booked = shop.call("book", json!({ "what": what })).within(ctx).await?;
    let noted = shop.call("note", json!({ "line": text(&booked) })).within(ctx).await?;
    Ok(format!("{} ({})", text(&booked), text(&noted)))
}

/// Books two things at the same time.
#[mcp_tool(replayable)]
async fn plan_both(ctx: &Ctx, shop: &Remote) -> Result<String> {
    let [room, table] =
        ["room", "table"].map(|what| shop.call("book", json!({ "what": what })).within(ctx).into_future());
    let (room, table) = tokio::try_join!(room, table)?;
    Ok(format!("{}, {}", text(&room), text(&table)))
}

/// Calls any tool of another server.
#[mcp_tool(replayable)]
async fn forward(
    ctx: &Ctx,
    shop: &Remote,
    tool: String,
    arguments: serde_json::Map<String, Value>,
) -> Result<CallToolResult> {
    shop.call(tool, arguments).within(ctx).await
}

fn text(result: &CallToolResult) -> &str {
    result.content()[0].as_text().unwrap_or_default()
}

fn planner(shop: &Remote) -> Server {
    Server::new("planner", "1").state(shop.clone()).tools(tools![plan, plan_both, forward])
}

#[tokio::test]
async fn the_questions_of_another_server_are_those_of_the_call() {
    for kind in [Kind::Service, Kind::Http] {
        in_every_mode!(async |mode| {
            let shop = Started::of(kind, shop).await;
            let mut client = mode.client(|| planner(&shop.remote));
            let reply = client.call("plan", json!({ "what": "room" })).accept(YES).await;
            assert_eq!(reply.text(), "room booked (11)", "{kind:?}");
            assert_eq!(reply.asked()[0].key(), "shop/book/confirm");
            assert_eq!(shop.done.take(), ["hold room", "book room", "note room booked"], "{kind:?}");
        });
    }
}

#[tokio::test]
async fn two_calls_at_the_same_time_ask_apart() {
    for kind in [Kind::Service, Kind::Http, Kind::Session] {
        for revision in [Revision::V2025_06_18, Revision::LATEST] {
            let shop = Started::of(kind, shop).await;
            let service = planner(&shop.remote).build().unwrap();
            let mut client = Client::new(&service, revision);
            let reply = client.call("plan_both", ()).accept(YES).accept(YES).await;
            assert_eq!(reply.text(), "room booked, table booked", "{kind:?} {revision}");
            let mut done = shop.done.take();
            done.sort();
            assert_eq!(done, ["book room", "book table", "hold room", "hold table"], "{kind:?} {revision}");
        }
    }
}

#[tokio::test]
async fn what_the_user_refuses_the_other_server_hears() {
    for kind in [Kind::Service, Kind::Http, Kind::Session] {
        for revision in [Revision::V2025_06_18, Revision::LATEST] {
            let shop = Started::of(kind, shop).await;
            let service = planner(&shop.remote).build().unwrap();
            let mut client = Client::new(&service, revision);
            let declined =
                client.call("forward", json!({ "tool": "book", "arguments": { "what": "room" } })).decline().await;
            assert!(declined.is_error() && declined.text().contains("the user declined"), "{}", declined.text());
            assert_eq!(shop.done.take(), ["hold room"]);
        }
    }
}

#[tokio::test]
async fn another_server_samples_the_model_of_the_client() {
    for kind in [Kind::Service, Kind::Http, Kind::Session] {
        for revision in [Revision::V2025_11_25, Revision::LATEST] {
            let shop = Started::of(kind, shop).await;
            let service = planner(&shop.remote).build().unwrap();
            let arguments = json!({ "tool": "describe", "arguments": { "what": "room" } });
            let mut client = Client::new(&service, revision);
            let described = client.call("forward", &arguments).reply(Reply::sampled("It has a view.")).await;
            assert_eq!(described.text(), "It has a view.", "{kind:?} {revision}");
            let mut client = Client::new(&service, revision).without_sampling();
            let refused = client.call("forward", &arguments).await;
            let said = refused.error().map_or_else(|| refused.text(), |error| error.message.clone());
            assert!(said.contains("sampling"), "{kind:?} {revision}: {said}");
        }
    }
}

#[tokio::test]
async fn logs_and_progress_go_to_the_client_of_the_call() {
    let mut tests = JoinSet::new();
    for kind in [Kind::Service, Kind::Http, Kind::Session] {
        for revision in [Revision::V2025_11_25, Revision::LATEST] {
            tests.spawn(async move {
                let shop = Started::of(kind, shop).await;
                // The work takes longer than the limit: progress renews it.
                let service = planner(&shop.remote.timeout(Duration::from_secs(3))).build().unwrap();
                let mut client = Client::new(&service, revision).log_level(Level::Info);
                let reply = client.call("forward", json!({ "tool": "work", "arguments": { "steps": 12 } })).await;
                assert_eq!(reply.text(), "12 steps", "{kind:?} {revision}");
                let logged: Vec<_> = reply.logs().iter().map(|log| log.data.clone()).collect();
                assert_eq!(logged, [json!("works")], "{kind:?} {revision}");
                let last = reply.progress().last().unwrap();
                assert_eq!((last.progress, last.total), (12.0, Some(12.0)), "{kind:?} {revision}");
            });
        }
    }
    tests.join_all().await;
}

#[tokio::test]
async fn another_server_is_told_of_a_cancellation() {
    for kind in [Kind::Service, Kind::Http, Kind::Session] {
        for revision in [Revision::V2025_11_25, Revision::LATEST] {
            let shop = Started::of(kind, shop).await;
            let service = planner(&shop.remote).build().unwrap();
            let mut client = Client::new(&service, revision);
            let call = client.call("forward", json!({ "tool": "wait", "arguments": {} })).cancel_on_progress();
            assert!(call.await.is_cancelled());
            let cancelled = async {
                while !shop.done.take().contains(&"cancelled".to_owned()) {
                    sleep(Duration::from_millis(20)).await;
                }
            };
            timeout(Duration::from_secs(5), cancelled).await.unwrap_or_else(|_| panic!("{kind:?} {revision}"));
        }
    }
}

#[tokio::test]
async fn a_call_without_a_client_answers_or_says_what_it_needs() {
    for kind in [Kind::Service, Kind::Http, Kind::Session] {
        let shop = Started::of(kind, shop).await.remote;
        assert_eq!(text(&shop.call("note", json!({ "line": "tea" })).await.unwrap()), "3");
        let error = shop.call("fly", json!({})).await.unwrap_err();
        assert!(matches!(&error, RemoteError::Refused { error, .. } if error.code == -32602), "{kind:?}: {error}");
        match shop.call("book", json!({ "what": "room" })).await {
            // The server knows that its client cannot be asked.
            Err(RemoteError::Refused { error, .. }) => assert_eq!(error.code, -32021, "{kind:?}"),
            Ok(refused) => assert!(refused.is_error() && kind == Kind::Session, "{kind:?}"),
            Err(error) => panic!("{kind:?}: {error}"),
        }
        let wrong = shop.call("note", json!({ "line": 7 })).await.unwrap();
        assert!(wrong.is_error() && text(&wrong).contains("`line`"), "{kind:?}");
    }
}

#[tokio::test]
async fn a_request_repeats_arguments_in_headers() {
    let shop = Started::of(Kind::Http, shop).await;
    let said = shop.remote.call("regional", json!({ "region": "Köln" })).await.unwrap();
    assert_eq!(text(&said), "Köln");
}

#[tokio::test]
async fn a_list_is_read_once() {
    for kind in [Kind::Http, Kind::Session] {
        let shop = Started::of(kind, shop).await;
        let names =
            |tools: &[Value]| tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
        let tools = shop.remote.tools().await.unwrap();
        assert_eq!(names(&tools), ["book", "note", "describe", "work", "wait", "regional"]);
        assert_eq!(names(&shop.remote.clone().tools().await.unwrap()), names(&tools));
        assert_eq!(shop.requests.count("tools/list"), 1, "{kind:?}");
    }
}

#[tokio::test]
async fn a_trace_is_passed_on_and_the_servers_on_the_way_are_counted() {
    let shop = Started::of(Kind::Http, shop).await;
    let service = planner(&shop.remote).build().unwrap();
    let mut client = Client::new(&service, Revision::LATEST);
    client.call("forward", json!({ "tool": "note", "arguments": { "line": "tea" } })).await;
    let sent: Value = serde_json::from_str(&shop.requests.last()).unwrap();
    assert_eq!(sent["params"]["_meta"]["hops"], 1);
}
