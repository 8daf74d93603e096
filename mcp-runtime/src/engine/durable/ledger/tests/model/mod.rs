//! Tests one call with two questions, which two instances serve. The events come in any order: duplicate requests,
//! different and malformed answers, lost replies, cancellations, kills, stalls past the lease, a ledger that evicts
//! replies, fails or is lost.
//!
//! There are three invariants. An effect that must not begin twice does not begin twice. All requests for the same
//! round get the same reply. A client that keeps trying gets the result, or the true reason why there is no result. If
//! any of the rules is switched off, an invariant breaks.

mod server;
mod world;

use std::time::Duration;

use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner},
};

use self::{
    server::{Rules, ToolKind},
    world::World,
};
use super::{super::LedgerId, gate::Fault};

/// The next event. A request or an instance is an index, which is taken modulo the number of requests or instances.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// A request arrives at an instance, with the latest state or an earlier state. `answer: None` is a malformed
    /// answer.
    Send { instance: usize, earlier: usize, answer: Option<char>, lost: bool },
    /// A request is polled `times` times.
    Poll { request: usize, times: usize },
    /// Time passes, and only background tasks are polled.
    Pass(Duration),
    /// The client disconnects.
    Cancel { request: usize },
    /// An instance is killed and replaced.
    Kill { instance: usize },
    /// The next swap of an instance fails.
    Fail { instance: usize, fault: Fault },
    /// The ledger evicts the replies of finished calls.
    Evict,
    /// The ledger is emptied.
    Lose,
}

#[test]
fn nothing_begins_twice_and_no_request_is_blocked() {
    check(Rules::ALL, 10_000, [7; 16]).unwrap();
}

/// Tests new cases in each run of `cargo test --release -p mcp-runtime --lib ledger::tests::model -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn nothing_begins_twice_and_no_request_is_blocked_in_a_million_runs() {
    check(Rules::ALL, 1_000_000, LedgerId::random().to_bytes()).unwrap();
}

#[test]
fn leaving_out_a_rule_breaks_an_invariant() {
    let all = Rules::ALL;
    for (rules, violations) in [
        (Rules { fence: false, ..all }, &["began twice", "two results", "two questions"][..]),
        (Rules { begin_mark: false, ..all }, &["`after` began twice"]),
        (Rules { step_mark: false, ..all }, &["the step began twice"]),
        (Rules { lease: false, ..all }, &["blocked"]),
        (Rules { check_before_claim: false, ..all }, &["blocked"]),
        (Rules { ledger_id: false, ..all }, &["began twice", "two results", "two questions"]),
    ] {
        let found = check(rules, 10_000, [7; 16]).unwrap_err();
        assert!(violations.iter().any(|violation| found.contains(violation)), "{rules:?}: {found}");
    }
}

/// Runs `cases` cases, and stops when an invariant is broken.
fn check(rules: Rules, cases: u32, seed: [u8; 16]) -> Result<(), String> {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 1000, ..Config::default() };
    // The fastest generator: most of the time is spent on generating cases.
    let random = TestRng::from_seed(RngAlgorithm::XorShift, &seed);
    let strategy = (kinds(), prop::collection::vec(events(), 1..60));
    let run = |(kind, events)| World::run(rules, kind, events).map_err(TestCaseError::fail);
    TestRunner::new_with_rng(config, random).run(&strategy, run).map_err(|error| match error {
        TestError::Fail(reason, (kind, events)) => format!("{reason}: {kind:?}, {events:#?}"),
        TestError::Abort(reason) => reason.to_string(),
    })
}

fn kinds() -> impl Strategy<Value = ToolKind> {
    prop_oneof![3 => Just(ToolKind::Handoff), 1 => Just(ToolKind::Replayable), 1 => Just(ToolKind::Parked)]
}

fn events() -> impl Strategy<Value = Event> {
    let request = 0..8_usize;
    let answer = prop_oneof![4 => Just(Some('a')), 2 => Just(Some('b')), 1 => Just(None)];
    let earlier = prop_oneof![3 => Just(0_usize), 1 => 0..4_usize];
    let send = (0..2_usize, earlier, answer, prop::bool::weighted(0.2))
        .prop_map(|(instance, earlier, answer, lost)| Event::Send { instance, earlier, answer, lost });
    let times = prop_oneof![4 => 1..6_usize, 2 => 6..20_usize, 2 => Just(200_usize)];
    let poll = (request.clone(), times).prop_map(|(request, times)| Event::Poll { request, times });
    let pass = prop_oneof![Just(100), Just(11_000), Just(31_000)].prop_map(|ms| Event::Pass(Duration::from_millis(ms)));
    let fail = (0..2_usize, prop_oneof![Just(Fault::Done), Just(Fault::Undone)])
        .prop_map(|(instance, fault)| Event::Fail { instance, fault });
    prop_oneof![
        12 => send,
        30 => poll,
        4 => pass,
        2 => request.prop_map(|request| Event::Cancel { request }),
        2 => (0..2_usize).prop_map(|instance| Event::Kill { instance }),
        1 => fail,
        2 => Just(Event::Evict),
        1 => Just(Event::Lose),
    ]
}
