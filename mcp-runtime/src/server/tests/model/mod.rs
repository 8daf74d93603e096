//! One call of two questions, served by real servers, in any order of events: duplicates, forked, wrong and missing
//! answers, lost replies, cancellations, kills, stalls past the lease, wall clocks that step and differ, a ledger that
//! evicts replies, fails or is lost.
//!
//! Whatever waits, for the ledger or in the tool, waits until the history lets it go on, so that any two requests meet
//! anywhere. What must hold: `after` never begins twice; whoever asks is told the same, and it is what was answered
//! first; no request is left without a response; and a client that keeps trying comes to the result, or is told
//! truthfully why not.

mod found;
mod instance;
mod points;
mod reply;
#[cfg(feature = "seal")]
mod sealed;
mod shelf;
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
use crate::durable::ledger::LEASE;

/// What happens next. Whatever is named by a number is taken modulo how many there are.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// A request comes to an instance, so many times at once, with the client's latest state or an earlier one.
    Send { instance: usize, earlier: usize, answer: Answer, copies: usize, lost: bool },
    /// One of those that wait goes on, and then so many more.
    Go { which: usize, times: usize },
    /// One of those that wait goes on, and if it waits for the ledger, that fails: before it took effect, or after.
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
    /// The wall clock of an instance's machine is put ahead by so many seconds, or back.
    Step { instance: usize, seconds: i64 },
    /// Another call of an instance is written down in the ledger, and what has expired goes.
    Another { instance: usize },
    /// The ledger evicts the replies of finished calls.
    Evict,
    /// The ledger is emptied.
    Lose,
}

/// As long as a state is good.
const HOUR: Duration = Duration::from_secs(60 * 60);

/// Who serves, and the rules that can be left out here; the others are the server's.
#[derive(Clone, Copy, Debug)]
struct Rules {
    /// Two instances that share the keys and a ledger. Without a seal a state is good in its own process only.
    seal: bool,
    fence: bool,
    /// States are judged by the time of the ledger, not by wall clocks.
    one_clock: bool,
    /// The ledger has a high-water mark of its time.
    mark: bool,
    /// A call whose reply was evicted leaves a tombstone.
    tombstones: bool,
    lease: Duration,
}

const TWO: Rules = Rules { seal: true, ..ONE };
const ONE: Rules = Rules { seal: false, fence: true, one_clock: true, mark: true, tombstones: true, lease: LEASE };

fn all() -> Vec<Rules> {
    if cfg!(feature = "seal") { vec![ONE, TWO] } else { vec![ONE] }
}

#[test]
fn nothing_begins_twice_and_nobody_is_blocked_where_one_serves() {
    check(ONE).unwrap();
}

/// `MODEL_RUNS=5000` for more.
fn check(rules: Rules) -> Result<(), String> {
    let runs = env::var("MODEL_RUNS").map_or(500, |runs| runs.parse().expect("`MODEL_RUNS` is a number"));
    search(rules, runs, 4000)
}

/// Runs so many histories, or until one shows a violation, and makes that as short as it can.
fn search(rules: Rules, cases: u32, max_shrink_iters: u32) -> Result<(), String> {
    let config = Config { cases, failure_persistence: None, max_shrink_iters, ..Config::default() };
    let random = TestRng::from_seed(RngAlgorithm::XorShift, &[7; 16]);
    let strategy = (kinds(), prop::collection::vec(events(), 1..60));
    let run = |(kind, events)| World::run(rules, kind, events).map_err(TestCaseError::fail);
    TestRunner::new_with_rng(config, random).run(&strategy, run).map_err(|error| match error {
        TestError::Fail(reason, (kind, events)) => format!("{reason}: {kind:?}, {events:?}"),
        TestError::Abort(reason) => reason.to_string(),
    })
}

fn kinds() -> impl Strategy<Value = Kind> {
    prop_oneof![3 => Just(Kind::Book), 1 => Just(Kind::Plan), 2 => Just(Kind::Pay), 1 => Just(Kind::Wander)]
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
    let send = (instance(), earlier, answer, copies, prop::bool::weighted(0.2))
        .prop_map(|(instance, earlier, answer, copies, lost)| Event::Send { instance, earlier, answer, copies, lost });
    let pass = prop_oneof![
        Just(Duration::from_millis(20)),
        Just(Duration::from_millis(300)),
        Just(LEASE / 3 + Duration::from_millis(1)),
        Just(LEASE + Duration::from_millis(1)),
    ];
    let seconds = prop_oneof![Just(-7200_i64), Just(-600), Just(-400), Just(400), Just(600), Just(7200)];
    let step = (instance(), seconds).prop_map(|(instance, seconds)| Event::Step { instance, seconds });
    let away = (instance(), any::<bool>()).prop_map(|(instance, is_away)| Event::Away { instance, is_away });
    let times = prop_oneof![2 => Just(1_usize), 1 => 2..12_usize];
    prop_oneof![
        60 => send,
        100 => (which(), times).prop_map(|(which, times)| Event::Go { which, times }),
        50 => instance().prop_map(|instance| Event::Flow { instance }),
        25 => pass.prop_map(Event::Pass),
        15 => (0..8_usize).prop_map(|request| Event::Cancel { request }),
        5 => instance().prop_map(|instance| Event::Disconnect { instance }),
        12 => instance().prop_map(|instance| Event::Kill { instance }),
        5 => instance().prop_map(|instance| Event::Forget { instance }),
        5 => which().prop_map(|which| Event::Fail { which }),
        5 => away,
        4 => step,
        4 => instance().prop_map(|instance| Event::Another { instance }),
        2 => Just(Event::Pass(HOUR)),
        2 => Just(Event::Evict),
        1 => Just(Event::Lose),
    ]
}
