//! Pages that the user is asked to open.

use std::time::Duration;

use mcp_runtime::{
    Result, Revision,
    prelude::*,
    testing::{Client, Outcome, Reply},
};
use serde_json::{Value, json};

use crate::asking::service;

/// Connects something.
#[mcp_tool(requires(elicitation_url))]
async fn connect(ctx: &Ctx, url: Option<String>) -> Result<&'static str> {
    let url = url.unwrap_or_else(|| "https://example.com/connect?id=1".to_owned());
    let visited = ctx.elicit_url("connect", url, "Connect your calendar").timeout(Duration::from_secs(60)).await?;
    visited.complete();
    Ok("connected")
}

/// Connects two things, but is not done with the first.
#[mcp_tool(requires(elicitation_url))]
async fn connect_both(ctx: &Ctx) -> Result<&'static str> {
    let first = ctx.elicit_url("connect", "https://example.com/1", "First").await?;
    ctx.elicit_url("connect", "https://example.com/2", "Second").await?.complete();
    drop(first);
    Ok("connected")
}

/// Connects if it can.
#[mcp_tool]
async fn connect_perhaps(ctx: &Ctx) -> Result<&'static str> {
    if !ctx.client().can_elicit_url() {
        return Ok("cannot connect here");
    }
    ctx.elicit_url("connect", "https://example.com", "Connect").await?;
    Ok("connected")
}

const VISITING: [Revision; 2] = [Revision::V2025_11_25, Revision::V2026_07_28];

fn client(revision: Revision) -> Client {
    Client::new(&service(tools![connect, connect_both, connect_perhaps]), revision)
}

/// Returns the `params` of the notifications of this method.
fn told(outcome: &Outcome, method: &str) -> Vec<Value> {
    let received = outcome.transcript().received();
    received.into_iter().filter(|message| message["method"] == method).map(|mut told| told["params"].take()).collect()
}

#[tokio::test]
async fn returns_when_the_user_agrees_to_open_a_page() {
    for revision in VISITING {
        let outcome = client(revision).call("connect", ()).accept_url().await;
        assert_eq!(outcome.text(), "connected");
        let [question] = outcome.asked() else { panic!("{:?}", outcome.asked()) };
        assert_eq!((question.key(), question.message()), ("connect", "Connect your calendar"));
        assert_eq!(question.url(), Some("https://example.com/connect?id=1"));
        assert_eq!((&question.params()["mode"], question.schema()), (&json!("url"), None));
    }
}

#[tokio::test]
async fn only_2025_11_25_has_elicitation_ids_and_completion() {
    let complete = "notifications/elicitation/complete";
    let outcome = client(Revision::V2025_11_25).call("connect_both", ()).accept_url().accept_url().await;
    let ids: Vec<_> = outcome.asked().iter().map(|question| &question.params()["elicitationId"]).collect();
    assert!(ids.iter().all(|id| id.is_string()) && ids[0] != ids[1], "{ids:?}");
    assert_eq!(told(&outcome, complete), [json!({ "elicitationId": ids[1] })]);
    let keys: Vec<_> = outcome.asked().iter().map(|question| question.key()).collect();
    assert_eq!(keys, ["connect", "connect#2"]);

    let modern = client(Revision::V2026_07_28).call("connect_both", ()).accept_url().accept_url().await;
    assert!(modern.asked().iter().all(|question| question.params().get("elicitationId").is_none()));
    assert!(told(&modern, complete).is_empty());
}

#[tokio::test]
async fn a_declined_visit_is_an_error() {
    for revision in VISITING {
        let mut client = client(revision);
        assert_eq!(client.call("connect", ()).decline().await.text(), "the user declined");
        assert_eq!(client.call("connect", ()).cancel().await.text(), "the user cancelled");
        let strange = client.call("connect", ()).answer(json!({ "action": "perhaps" })).await;
        assert!(strange.text().starts_with("the answer does not fit: `action` is \"perhaps\""), "{}", strange.text());
        let relative = client.call("connect", json!({ "url": "/connect" })).await;
        assert_eq!(relative.text(), "this question cannot be asked: `/connect` is not an absolute URL");
    }
}

#[tokio::test(start_paused = true)]
async fn a_visit_has_a_timeout() {
    for revision in VISITING {
        let mut client = client(revision);
        let reply = |seconds| Reply::accept_url().after(Duration::from_secs(seconds));
        assert_eq!(client.call("connect", ()).reply(reply(59)).await.text(), "connected");
        let late = client.call("connect", ()).reply(reply(61)).await;
        assert_eq!(late.text(), "no answer within 60s");
    }
}

#[tokio::test]
async fn a_visit_needs_url_mode() {
    for revision in Revision::ALL {
        let mut client = client(revision).capabilities(json!({ "elicitation": { "form": {} } }));
        assert_eq!(client.call("connect_perhaps", ()).await.text(), "cannot connect here");
        let refused = client.call("connect", ()).await;
        match refused.error() {
            Some(error) => {
                let required = json!({ "requiredCapabilities": { "elicitation": { "url": {} } } });
                assert_eq!((error.code, &error.data), (-32021, &required));
            }
            None => assert_eq!(refused.text(), "the tool `connect` needs a client that supports URL elicitation"),
        }
        assert_eq!(refused.error().is_some(), revision.is_modern());
    }
}
