//! Random instances, with a client that repeats requests, changes its answers and disconnects.

use mcp_runtime::testing::Client;
use serde_json::Value;

use crate::once::{
    tools::{Seat, Sure},
    wire::{asked, seat, state, sure, text},
    world::{World, worlds},
};

/// A pseudo-random generator (xorshift). The same seed gives the same numbers.
struct Random(u64);

impl Random {
    /// Returns a number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// The last reply of a call.
#[derive(Debug)]
enum Told {
    AsksForSeat(Value),
    AsksIfSure(Value, String),
    Booked(String),
}

impl Told {
    fn of(response: &Value) -> Self {
        if response["result"]["resultType"] != "input_required" {
            return Self::Booked(text(response).to_owned());
        }
        match asked(response)[..] {
            ["seat"] => Self::AsksForSeat(state(response)),
            ["sure"] => {
                let question = &response["result"]["inputRequests"]["sure"]["params"]["message"];
                let seat = question.as_str().unwrap().strip_prefix("Seat ").unwrap().strip_suffix(" to Lisbon?");
                Self::AsksIfSure(state(response), seat.unwrap().to_owned())
            }
            _ => panic!("{response}"),
        }
    }

    fn rank(&self) -> usize {
        match self {
            Self::AsksForSeat(_) => 0,
            Self::AsksIfSure(..) => 1,
            Self::Booked(_) => 2,
        }
    }
}

/// Plays one call to its end.
async fn play(world: &mut World, random: &mut Random) {
    let (before, after) = world.watched.runs();
    world.turn_to(random.below(8));
    let mut told = Told::of(&world.call("book", serde_json::json!({})).await);
    let mut states = Vec::new();
    let mut chosen = None;
    for _ in 0..100 {
        let newest = match &told {
            Told::AsksForSeat(state) => state.clone(),
            Told::AsksIfSure(state, seat) => {
                assert_eq!(chosen.get_or_insert_with(|| seat.clone()), seat, "the first answer wins");
                state.clone()
            }
            Told::Booked(booked) => {
                let seat = chosen.expect("it was asked");
                assert_eq!(*booked, format!("{seat} to Lisbon for {}", 100 * (before + 1)));
                assert_eq!(world.watched.runs(), (before + 1, after + 1));
                return;
            }
        };
        states.push(newest.clone());
        let mut sent = Vec::new();
        for _ in 0..=random.below(3) {
            world.turn_to(random.below(8));
            // Most often the newest state, sometimes a spent one.
            let brought = if random.once_in(4) { &states[random.below(states.len())] } else { &newest };
            let answers = if told.rank() == 0 { seat(&format!("{}A", 10 + random.below(90))) } else { sure(true) };
            let request = world.send_answer("book", brought, answers).await;
            if random.once_in(4) {
                if random.once_in(2) {
                    tokio::task::yield_now().await;
                }
                world.cancel(request).await;
            } else {
                sent.push(request);
            }
            if random.once_in(6) {
                world.forget().await;
            }
        }
        for sent in sent {
            let response = world.reply(sent).await;
            if let Some(message) = response["error"]["message"].as_str() {
                assert!(message.contains("send the same request again"), "{response}");
                continue;
            }
            let newer = Told::of(&response);
            if told.rank() <= newer.rank() {
                told = newer;
            }
        }
    }
    panic!("it does not come to an end: {told:?}");
}

#[tokio::test]
async fn a_call_sent_to_random_instances_ends_once() {
    for mut world in worlds().await {
        for seed in 1..=25 {
            eprintln!("seed {seed}");
            play(&mut world, &mut Random(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed))).await;
        }
    }
}

#[tokio::test]
async fn concurrent_calls_are_independent() {
    for world in worlds().await {
        let mut calls = tokio::task::JoinSet::new();
        for (number, service) in (0..16).zip(world.services.iter().cycle()) {
            let client = Client::modern(service);
            let mut client = if number % 3 == 0 { client.rebuilding() } else { client };
            calls.spawn(async move {
                let call = client.call("book", ()).accept(Seat { seat: format!("{number}A") });
                (number, call.accept(Sure { sure: true }).await.text())
            });
        }
        for (number, booked) in calls.join_all().await {
            assert!(booked.starts_with(&format!("{number}A to Lisbon")), "{booked}");
        }
        assert_eq!(world.watched.runs(), (16, 16));
    }
}
