//! Servers before 2026-07-28: a call lives as long as its connection.

use mcp_runtime::{Revision, remote::Remote, testing::Client};
use serde_json::json;

use super::{planner, servers::shop};
use crate::support::remote_servers::{Kind, Started, YES};

#[tokio::test]
async fn a_session_asks_clients_of_both_eras() {
    for revision in Revision::ALL.into_iter().filter(|revision| *revision >= Revision::V2025_06_18) {
        let shop = Started::of(Kind::Session, shop).await;
        let service = planner(&shop.remote).build().unwrap();
        let mut client = Client::new(&service, revision);
        for what in ["room", "table"] {
            let reply = client.call("plan", json!({ "what": what })).accept(YES).await;
            assert!(reply.text().starts_with(&format!("{what} booked")), "{revision}: {}", reply.text());
        }
        let done = ["hold room", "book room", "note room booked", "hold table", "book table", "note table booked"];
        assert_eq!(shop.done.take(), done, "{revision}");
        // One session for the lists and one for the calls.
        assert!(shop.requests.count("initialize") <= 3, "{revision}: {}", shop.requests.count("initialize"));
    }
}

#[tokio::test]
async fn a_call_that_has_lost_its_session_is_never_sent_again() {
    let shop = Started::of(Kind::Session, shop).await;
    let service = planner(&shop.remote).build().unwrap();
    let mut client = Client::new(&service, Revision::LATEST).rebuilding();
    let lost = client.call("plan", json!({ "what": "room" })).accept(YES).await;
    assert!(lost.is_error() && lost.text().contains("keeps a call only as long as its connection"), "{}", lost.text());
    assert_eq!(shop.done.take(), ["hold room"]);
    assert_eq!(shop.requests.count("tools/call"), 1);
}

#[tokio::test]
async fn a_session_serves_one_call_at_a_time_and_more_begin() {
    let shop = Started::of(Kind::Session, shop).await;
    let service = planner(&shop.remote.clone().max_sessions(1)).build().unwrap();
    let calls = (0..3).map(|_| {
        let service = service.clone();
        tokio::spawn(async move {
            let mut client = Client::new(&service, Revision::LATEST);
            client.call("plan", json!({ "what": "room" })).accept(YES).await.text()
        })
    });
    for call in calls.collect::<Vec<_>>() {
        assert_eq!(call.await.unwrap(), "room booked (11)");
    }
}

#[tokio::test]
async fn a_server_that_has_ended_is_connected_again() {
    let gone = Remote::http("http://127.0.0.1:9/mcp").named("gone");
    let error = gone.call("note", json!({})).await.unwrap_err();
    assert!(!error.may_have_run() && error.to_string().starts_with("the server `gone` cannot be reached: "), "{error}");
}
