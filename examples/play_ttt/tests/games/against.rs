//! Two hundred games against the adversary, as the server's own model and as the client's.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use mcp_runtime::{
    Revision,
    sample::{ProviderAbilities, ProviderError, SamplingFuture, SamplingProvider, SamplingRequest},
    testing::{Client, Question, Reply},
};
use serde_json::json;

use super::{
    Outcome, Report,
    adversary::{Asked, answer},
    any_cell,
    chance::Chance,
    judged,
};
use play_ttt::server;

const GAMES: u64 = 200;

/// The adversary as the server's own model.
struct Adversary {
    chance: Mutex<Chance>,
    abilities: ProviderAbilities,
}

impl SamplingProvider for Adversary {
    fn sample<'a>(&'a self, request: &'a SamplingRequest) -> SamplingFuture<'a> {
        let text = request.messages[0].text();
        let tools = request.tools.iter().map(|tool| &*tool.name).collect();
        let mut chance = self.chance.lock().unwrap_or_else(PoisonError::into_inner);
        let said = answer(&mut chance, &Asked { text: &text, tools });
        Box::pin(async { said.ok_or_else(|| ProviderError::new("the model is out of order")) })
    }

    fn abilities(&self) -> ProviderAbilities {
        self.abilities
    }
}

/// The adversary as the client's model.
fn sampled(chance: &mut Chance, question: &Question, revision: Revision) -> Reply {
    let asked = Asked { text: question.texts().next().expect("a prompt"), tools: question.tools() };
    match answer(chance, &asked) {
        Some(reply) if asked.tools.is_empty() && reply.content[0].as_tool_use().is_some() => {
            // What nobody offered cannot be called; old clients could not even write it.
            Reply::sampled("I resign.")
        }
        Some(reply) => Reply::sampled_as(reply),
        None if chance.percent(30) => Reply::answer(json!({ "role": "assistant", "content": 7 })),
        None if revision.is_modern() => Reply::silence(),
        None => Reply::refuse(-1, "User rejected sampling request"),
    }
}

/// A user who mostly takes a cell that is free.
fn user(chance: &mut Chance, form: &Question) -> Reply {
    match chance.below(100) {
        0 => Reply::decline(),
        1 => Reply::cancel(),
        2 => Reply::answer(json!({ "action": "accept", "content": { "cell": "the centre" } })),
        _ => any_cell(chance, form),
    }
}

/// Each of these ends came about.
fn assert_seen(reports: &[Report], expected: &[Outcome]) {
    let mut counts = BTreeMap::new();
    reports.iter().for_each(|report| *counts.entry(report.outcome).or_insert(0) += 1);
    assert!(expected.iter().all(|outcome| counts.contains_key(outcome)), "{counts:?}");
}

#[tokio::test]
async fn two_hundred_games_against_an_adversary_of_the_servers_own() {
    let mut reports = Vec::new();
    for seed in 0..GAMES {
        let abilities = match seed % 4 {
            0 => ProviderAbilities::new(),
            1 => ProviderAbilities::new().schema(),
            2 => ProviderAbilities::new().tools(),
            _ => ProviderAbilities::new().schema().tools(),
        };
        let model = Adversary { chance: Mutex::new(Chance::new(seed)), abilities };
        let service = server().sampling_provider(model).build().unwrap();
        let mut client = Client::new(&service, [Revision::V2025_06_18, Revision::V2026_07_28][(seed / 4 % 2) as usize]);
        let mut chance = Chance::new(!seed);
        let called = client.call("play_ttt", ()).otherwise(move |form| user(&mut chance, form)).await;
        reports.push(judged(&called));
    }
    use Outcome::*;
    assert_seen(&reports, &[ModelWon, UserWon, Draw, Resigned, Closed, Forfeited, Adjourned]);
}

#[tokio::test]
async fn two_hundred_games_against_an_adversary_of_the_clients() {
    let service = server().build().unwrap();
    let mut reports = Vec::new();
    for seed in 0..GAMES {
        let revision = [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28][(seed % 3) as usize];
        let mut client = Client::new(&service, revision);
        if seed % 2 == 0 {
            client = client.rebuilding();
        }
        if seed % 5 == 0 {
            client = client.without_sampling_tools();
        }
        let mut chance = Chance::new(seed);
        let called = client.call("play_ttt", ()).otherwise(move |question| match question.method() {
            "sampling/createMessage" => sampled(&mut chance, question, revision),
            _ => user(&mut chance, question),
        });
        reports.push(judged(&called.await));
    }
    use Outcome::*;
    assert_seen(&reports, &[ModelWon, UserWon, Draw, Forfeited, Adjourned]);
}
