//! Games against a real model: small, weak, and on this machine. `.ci/model` starts it.

use std::{
    env,
    time::{Duration, Instant},
};

use mcp_runtime::{providers::Model, testing::Client};

use super::{any_cell, chance::Chance, judged};
use play_ttt::server;

/// How many are played unless `MCP_TEST_GAMES` says otherwise: a minute and a half on two idle cores.
const GAMES: u64 = 20;

/// On a slow machine fewer are played: none begins after this time, unless `MCP_TEST_GAMES` is set.
const ENOUGH: Duration = Duration::from_secs(240);

/// No game may take longer.
const LIMIT: Duration = Duration::from_secs(1200);

/// The model is held to the form of its answers (`guided`), or writes what it likes (`free`).
#[tokio::test]
#[ignore = "needs a model: `.ci/model`"]
async fn a_real_model_plays_one_game_after_another() {
    let url = env::var("MCP_TEST_MODEL_URL").expect("`MCP_TEST_MODEL_URL`, which `.ci/model` sets");
    let wanted: Option<u64> = env::var("MCP_TEST_GAMES").ok().map(|games| games.parse().expect("a number of games"));
    let first = Instant::now();
    for seed in 0..wanted.unwrap_or(GAMES) {
        if wanted.is_none() && seed >= 4 && first.elapsed() > ENOUGH {
            eprintln!("{seed} of {GAMES} games are enough on this machine: {:.0?}", first.elapsed());
            break;
        }
        let began = Instant::now();
        let name = if seed % 4 == 3 { "free" } else { "guided" };
        let model = Model::openai_compatible(&url, name).timeout(Duration::from_secs(600)).retries(0);
        let service = server().sampling_provider(model).build().unwrap();
        let mut client = Client::modern(&service).without_sampling().limit(LIMIT);
        let mut chance = Chance::new(seed);
        let called = client.call("play_ttt", ()).otherwise(move |form| any_cell(&mut chance, form)).await;
        let report = judged(&called);
        let cells: Vec<_> = report.moves.iter().map(|turn| turn.cell).collect();
        eprintln!("{seed}: {name}: {:?} {cells:?} {:.1?} {:?}", report.outcome, began.elapsed(), report.why);
    }
}
