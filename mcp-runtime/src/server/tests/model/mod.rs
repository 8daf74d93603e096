//! One call of two questions, served by real servers, in any order of events: duplicates, forked, wrong and missing
//! answers, lost replies, cancellations, kills, stalls past the lease, a ledger that fails or is lost.
//!
//! Whatever waits, for the ledger or in the tool, waits until the history lets it go on, so that any two requests meet
//! anywhere. What must hold: `after` never begins twice; whoever asks is told the same, and it is what was answered
//! first; no request is left without a response; and a client that keeps trying comes to the result, or is told
//! truthfully why not.

mod instance;
mod points;
mod reply;
#[allow(unused_imports, reason = "in the crate of its own, what a macro leaves unused is not hidden")]
mod tools;
mod way;
mod world;

use std::{env, time::Duration};

use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner},
};

use self::{reply::Answer, tools::Kind, world::World};
use crate::call::ledger::LEASE;

/// What happens next. Whatever is named by a number is taken modulo how many there are.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// A request comes to an instance, so many times at once, with the client's latest state or an earlier one.
    Send { instance: usize, earlier: usize, answer: Answer, copies: usize, lost: bool },
    /// One of those that wait goes on.
    Go { which: usize },
    /// So it does, and if it waits for the ledger, that fails: before it took effect, or after.
    Fail { which: usize },
    /// All that waits in an instance goes on, until nothing does.
    Flow { instance: usize },
    /// Time passes.
    Pass(Duration),
    /// The client takes a request back.
    Cancel { request: usize },
    /// A connection is lost.
    Disconnect { instance: usize },
    /// A process is killed, and another takes its place.
    Kill { instance: usize },
    /// A process has no future any more of calls that wait for their client.
    Forget { instance: usize },
    /// An instance cannot reach the ledger, or can again.
    Away { instance: usize, is_away: bool },
    /// The ledger is emptied.
    Lose,
}

/// What can be left out here; the rest of the rules are the server's.
#[derive(Clone, Copy, Debug)]
struct Rules {
    fence: bool,
    lease: Duration,
}

const RULES: Rules = Rules { fence: true, lease: LEASE };

/// `MODEL_RUNS=10000` for more.
#[test]
fn nothing_begins_twice_and_nobody_is_blocked() {
    let runs = env::var("MODEL_RUNS").map_or(1_000, |runs| runs.parse().expect("`MODEL_RUNS` is a number"));
    check(RULES, runs).unwrap();
}

/// Runs so many histories, or until one shows a violation.
fn check(rules: Rules, cases: u32) -> Result<(), String> {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 4000, ..Config::default() };
    let random = TestRng::from_seed(RngAlgorithm::XorShift, &[7; 16]);
    let strategy = (kinds(), prop::collection::vec(events(), 1..60));
    let run = |(kind, events)| World::run(rules, kind, events).map_err(TestCaseError::fail);
    TestRunner::new_with_rng(config, random).run(&strategy, run).map_err(|error| match error {
        TestError::Fail(reason, (kind, events)) => format!("{reason}: {kind:?}, {events:?}"),
        TestError::Abort(reason) => reason.to_string(),
    })
}

fn kinds() -> impl Strategy<Value = Kind> {
    prop_oneof![3 => Just(Kind::Book), 1 => Just(Kind::Plan), 1 => Just(Kind::Wander)]
}

fn events() -> impl Strategy<Value = Event> {
    let instance = || 0..2_usize;
    let which = || prop_oneof![3 => Just(0_usize), 1 => 0..16_usize];
    let answer = prop_oneof![
        8 => Just(Answer::First),
        4 => Just(Answer::Second),
        1 => Just(Answer::Unfit),
        1 => Just(Answer::Decline),
        1 => Just(Answer::Missing),
        1 => Just(Answer::None),
        1 => Just(Answer::Malformed),
    ];
    let earlier = prop_oneof![3 => Just(0_usize), 1 => 0..4_usize];
    let copies = prop_oneof![3 => Just(1_usize), 1 => 2..4_usize];
    let send = (instance(), earlier, answer, copies, prop::bool::weighted(0.2)).prop_map(
        |(instance, earlier, answer, copies, lost)| Event::Send { instance, earlier, answer, copies, lost },
    );
    let pass = prop_oneof![
        Just(Duration::from_millis(20)),
        Just(Duration::from_millis(300)),
        Just(LEASE / 3 + Duration::from_millis(1)),
        Just(LEASE + Duration::from_millis(1)),
    ];
    let away = (instance(), any::<bool>()).prop_map(|(instance, is_away)| Event::Away { instance, is_away });
    prop_oneof![
        12 => send,
        20 => which().prop_map(|which| Event::Go { which }),
        12 => instance().prop_map(|instance| Event::Flow { instance }),
        5 => pass.prop_map(Event::Pass),
        3 => (0..8_usize).prop_map(|request| Event::Cancel { request }),
        1 => instance().prop_map(|instance| Event::Disconnect { instance }),
        2 => instance().prop_map(|instance| Event::Kill { instance }),
        1 => instance().prop_map(|instance| Event::Forget { instance }),
        1 => which().prop_map(|which| Event::Fail { which }),
        1 => away,
        1 => Just(Event::Lose),
    ]
}
