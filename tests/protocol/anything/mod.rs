//! The server answers or ignores any input by the rules, and the next request works.

mod answer;
mod texts;

use std::sync::OnceLock;

use mcp_runtime::{Revision, Server, Service, tools};
use proptest::{collection::vec, prelude::*};
use serde_json::{Value, json};

use self::answer::{Answer, answer_to};
use crate::protocol::{
    client::{Client, modern},
    rules::Rules,
    tools::{add, echo, everything, failures, numbers, server},
    wire::Wire,
};

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn answers_noise_by_the_rules(opening in opening(), texts in vec(texts::noise(), 1..8)) {
        answered(opening, &texts);
    }

    #[test]
    fn answers_broken_messages_by_the_rules(opening in opening(), texts in vec(texts::broken(), 1..8)) {
        answered(opening, &texts);
    }

    #[test]
    fn answers_odd_messages_by_the_rules(opening in opening(), texts in vec(texts::odd(), 1..8)) {
        answered(opening, &texts);
    }
}

/// The previous messages: a handshake, or none.
fn opening() -> impl Strategy<Value = Option<Revision>> {
    prop_oneof![
        Just(None),
        Just(Some(Revision::V2025_03_26)),
        (0..4_usize).prop_map(|index| Some(Revision::ALL[index]))
    ]
}

/// Returns a server whose tools all end immediately, so that the answers have the order of the requests.
fn quick_service() -> &'static Service {
    static SERVICE: OnceLock<Service> = OnceLock::new();
    SERVICE.get_or_init(|| {
        let tools = tools![echo, add, numbers, everything, failures::fail, failures::refuse, failures::unserializable];
        Server::new("quick", "1").state(server().1).tools(tools).build().unwrap()
    })
}

#[tokio::main(flavor = "current_thread")]
async fn answered(opening: Option<Revision>, texts: &[String]) {
    let mut wire = Wire::memory(quick_service());
    if let Some(revision) = opening {
        wire = Client::new(wire, revision).ready().await.wire;
    }
    let mut rules = Rules::new(opening.unwrap_or(Revision::V2025_11_25));
    let mut session = opening;
    for text in texts {
        let answers = check(&mut wire, &mut rules, text, &answer_to(text, session)).await;
        if answers.iter().any(|answer| answer["result"]["protocolVersion"].is_string()) {
            session = Some(rules.revision);
        }
    }
}

/// Sends `text`, and then a request. All messages before the answer to that request are the answer to `text`.
async fn check(wire: &mut Wire, rules: &mut Rules, text: &str, expected: &Answer) -> Vec<Value> {
    expected.announce(rules);
    wire.send(text).await;

    let probe = json!({ "jsonrpc": "2.0", "id": "the next", "method": "tools/call",
        "params": modern(json!({ "name": "echo", "arguments": { "text": text } }), &json!({})) });
    rules.sent(&probe);
    wire.send(&probe.to_string()).await;

    let mut answers = Vec::new();
    loop {
        let said = wire.receive().await.expect("the server is there");
        let message: Value = serde_json::from_str(&said).unwrap();
        if message["id"] == "the next" {
            rules.received(&said);
            assert_eq!(message["result"]["content"][0]["text"], *text, "after {text:?}");
            break;
        }
        if expected.can_be_judged() {
            rules.received(&said);
        }
        answers.push(message);
    }
    assert!(expected.is(&answers), "{text:?} was answered with {answers:?}, expected {expected:?}");
    answers
}
