//! The code of the page `testing`.
#![cfg(test)]

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};

use mcp_runtime::{
    Result, Revision, Service, in_every_mode,
    prelude::*,
    store::{KeyRing, MemoryLedger},
    testing::{Client, Fault, Reply},
};
use serde_json::json;

// ANCHOR: tool
#[elicits]
#[derive(Debug)]
pub(crate) enum Lending {
    Extend { days: u8 },
}

/// The number of renewed loans.
#[derive(Clone, Default)]
pub(crate) struct Renewals(Arc<AtomicU32>);

pub(crate) struct Renew;

/// Renews a loan, if the reader wants it.
#[handoff(optional(sampling))]
impl Renew {
    async fn before(&self, title: String) -> String {
        title
    }

    async fn client(ctx: &Ctx<Lending>, title: &String) -> Result<u8> {
        let words = match ctx.sample(format!("Remind a reader of {title}.")).max_tokens(50).await {
            Ok(reply) => reply.text,
            Err(AskError::Capability(_)) => format!("{title} is due."),
            Err(error) => return Err(error.into()),
        };
        Ok(ctx.elicit::<Extend>(format!("{words} For how many days?")).strict().await?.days)
    }

    async fn after(&self, renewals: &Renewals, title: String, days: u8) -> String {
        renewals.0.fetch_add(1, Relaxed);
        format!("{title} is renewed for {days} days.")
    }
}
// ANCHOR_END: tool

fn server(renewals: &Renewals) -> Server {
    Server::new("library", "1.0.0").state(renewals.clone()).tool(Renew)
}

// ANCHOR: answers
#[tokio::test]
async fn it_renews_for_the_days_of_the_form() {
    let service = server(&Renewals::default()).build().unwrap();
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&service, revision);
        let call = client.call("renew", json!({ "title": "Emma" })).sampled("Emma waits.").accept(Extend { days: 7 });
        let renewed = call.await;
        assert_eq!(renewed.text(), "Emma is renewed for 7 days.");
        assert_eq!(renewed.asked()[1].message(), "Emma waits. For how many days?");

        let declined = client.call("renew", json!({ "title": "Emma" })).sampled("Emma waits.").decline().await;
        assert!(declined.is_error());
        assert_eq!(declined.text(), "the user declined");
    }
}
// ANCHOR_END: answers

// ANCHOR: without
#[tokio::test]
async fn it_works_without_a_model() {
    let service = server(&Renewals::default()).build().unwrap();
    let mut client = Client::modern(&service).without_sampling();
    let renewed = client.call("renew", json!({ "title": "Emma" })).accept(Extend { days: 7 }).await;
    assert_eq!(renewed.asked()[0].message(), "Emma is due. For how many days?");
}
// ANCHOR_END: without

// ANCHOR: invalid
#[tokio::test]
async fn an_invalid_answer_is_asked_again_with_the_reason() {
    let service = server(&Renewals::default()).build().unwrap();
    let mut client = Client::modern(&service).without_sampling();
    let wrong = json!({ "action": "accept", "content": { "days": 300 } });
    let renewed = client.call("renew", json!({ "title": "Emma" })).answer(wrong).accept(Extend { days: 7 }).await;
    assert_eq!(renewed.text(), "Emma is renewed for 7 days.");
    assert!(renewed.asked()[1].message().contains("The last answer"), "{}", renewed.asked()[1].message());
}
// ANCHOR_END: invalid

// ANCHOR: modes
#[tokio::test]
async fn it_renews_once_in_every_mode() {
    in_every_mode!(|mode| {
        let renewals = Renewals::default();
        let mut client = mode.client(|| server(&renewals));
        let call = client.call("renew", json!({ "title": "Emma" })).sampled("Emma waits.").accept(Extend { days: 7 });
        assert_eq!(call.await.text(), "Emma is renewed for 7 days.");
        mode.same("renewals", renewals.0.load(Relaxed));
    });
}
// ANCHOR_END: modes

// ANCHOR: fault
#[tokio::test]
async fn a_lost_reply_renews_nothing_twice() {
    let renewals = Renewals::default();
    let service = server(&renewals).build().unwrap();
    let mut client = Client::modern(&service).without_sampling().fault(Fault::RepliesLost);
    let renewed = client.call("renew", json!({ "title": "Emma" })).accept(Extend { days: 7 }).await;
    assert_eq!(renewed.text(), "Emma is renewed for 7 days.");
    assert_eq!(renewals.0.load(Relaxed), 1);
}
// ANCHOR_END: fault

// ANCHOR: instances
#[tokio::test]
async fn two_instances_take_turns() {
    let (renewals, ledger) = (Renewals::default(), MemoryLedger::new());
    let instance = || -> Service {
        let server = server(&renewals).ledger(ledger.clone()).state_keys(KeyRing::new([7; 32]));
        server.build().unwrap()
    };
    let mut client = Client::modern(&instance()).without_sampling().taking_turns_with(&instance());
    let renewed = client.call("renew", json!({ "title": "Emma" })).accept(Extend { days: 7 }).await;
    assert_eq!(renewed.text(), "Emma is renewed for 7 days.");
    assert_eq!(renewals.0.load(Relaxed), 1);
}
// ANCHOR_END: instances

// ANCHOR: replay
#[tokio::test]
async fn a_replay_asks_the_same() {
    let service = server(&Renewals::default()).build().unwrap();
    let mut client = Client::modern(&service).without_sampling();
    client.call("renew", json!({ "title": "Emma" })).accept(Extend { days: 7 }).assert_replay_safe().await;
}
// ANCHOR_END: replay

// ANCHOR: transcript
#[tokio::test]
async fn a_session_and_a_round_differ_on_the_wire() {
    let service = server(&Renewals::default()).build().unwrap();
    let methods = async |revision| {
        let mut client = Client::new(&service, revision).without_sampling();
        let renewed = client.call("renew", json!({ "title": "Emma" })).accept(Extend { days: 7 }).await;
        let received = renewed.transcript().received();
        received.iter().map(|message| message["method"].as_str().unwrap_or("a result").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(methods(Revision::V2025_11_25).await, ["elicitation/create", "a result"]);
    assert_eq!(methods(Revision::V2026_07_28).await, ["a result", "a result"]);
}
// ANCHOR_END: transcript

// ANCHOR: otherwise
#[tokio::test]
async fn answers_can_depend_on_the_question() {
    let service = server(&Renewals::default()).build().unwrap();
    let mut client = Client::modern(&service).limit(Duration::from_secs(5));
    let call = client.call("renew", json!({ "title": "Emma" })).otherwise(|question| match question.key() {
        "extend" => Reply::accept(Extend { days: 21 }),
        _ => Reply::sampled("Emma waits."),
    });
    assert_eq!(call.await.text(), "Emma is renewed for 21 days.");
}
// ANCHOR_END: otherwise
