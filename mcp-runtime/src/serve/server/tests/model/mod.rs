//! A model test: real servers serve one call with two questions, under random histories. A history is a list of events
//! such as duplicate requests, different, wrong and missing answers, lost replies, cancellations, kills, stalls longer
//! than the lease, wall clocks that step and differ, and a ledger that evicts replies, fails or is lost.
//!
//! Each operation of the ledger and of the tool waits at a point until an event lets it continue, so that requests can
//! interleave at any point. The invariants: `after` never begins twice; all requests get the same result, and it agrees
//! with the first answer; every request gets a response; and a client that retries gets the result, or an error that
//! says truthfully why it cannot get the result.

#[cfg(feature = "remote")]
#[allow(unused_imports, reason = "inside the crate, rustc also reports imports that a macro leaves unused")]
mod abroad;
mod instance;
mod ledger;
mod points;
mod regressions;
mod reply;
#[cfg(feature = "seal")]
mod sealed;
mod store;
#[allow(unused_imports, reason = "inside the crate, rustc also reports imports that a macro leaves unused")]
mod tools;
mod world;

use std::{env, time::Duration};

use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner},
};

use self::{reply::Answer, tools::ToolKind, world::World};
use crate::engine::durable::ledger::LEASE;

/// The next event. Indices are taken modulo the number of elements.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// Requests arrive at an instance, `copies` at once, with the client's latest state or an earlier one.
    Send { instance: usize, earlier: usize, answer: Answer, copies: usize, lost: bool },
    /// `times` waiting operations continue, one after another.
    Go { which: usize, times: usize },
    /// One waiting operation continues. A ledger operation fails, before or after it took effect.
    Fail { which: usize },
    /// All operations of an instance continue until none of them waits.
    Flow { instance: usize },
    /// Time passes.
    Pass(Duration),
    /// The client cancels a request.
    Cancel { request: usize },
    /// A connection is lost.
    Disconnect { instance: usize },
    /// A process is killed and replaced. If `cuts`, its requests to another server end at once. Otherwise the other
    /// server completes them, and the replies get lost.
    Kill { instance: usize, cuts: bool },
    /// A process drops its parked futures.
    Forget { instance: usize },
    /// An instance loses its connection to the ledger, or gets it back.
    Away { instance: usize, is_away: bool },
    /// The wall clock of an instance's machine steps by `seconds` seconds.
    Step { instance: usize, seconds: i64 },
    /// An instance records another call in the ledger, which removes expired entries.
    Another { instance: usize },
    /// The ledger evicts the replies of finished calls.
    Evict,
    /// The ledger is emptied.
    Lose,
}

/// How long a state is valid.
const HOUR: Duration = Duration::from_secs(60 * 60);

/// The setup, and the rules of the server and its ledger that a test can switch off.
#[derive(Clone, Copy, Debug)]
struct Rules {
    /// Whether two instances share keys and a ledger. Otherwise there is one, and a state is only valid in its process.
    seal: bool,
    /// A swap fails if the version of the entry has changed.
    fence: bool,
    /// States expire by the time of the ledger, not by wall clocks.
    one_clock: bool,
    /// The ledger stores a high-water mark of its time.
    mark: bool,
    /// When the ledger evicts the reply of a call, it keeps a tombstone.
    tombstones: bool,
    lease: Duration,
}

const TWO: Rules = Rules { seal: true, ..ONE };
const ONE: Rules = Rules { seal: false, fence: true, one_clock: true, mark: true, tombstones: true, lease: LEASE };

fn all() -> Vec<Rules> {
    if cfg!(feature = "seal") { vec![ONE, TWO] } else { vec![ONE] }
}

#[test]
fn one_instance_keeps_all_invariants() {
    check(ONE, kinds()).unwrap();
}

#[test]
fn calls_within_a_call_keep_all_invariants() {
    all().into_iter().for_each(|rules| check(rules, Just(ToolKind::Travel)).unwrap());
}

#[cfg(feature = "remote")]
#[test]
fn calls_of_another_server_keep_all_invariants() {
    let kinds = || any::<bool>().prop_map(|minds_keys| ToolKind::Abroad { minds_keys });
    all().into_iter().for_each(|rules| check_histories(rules, kinds(), late_histories()).unwrap());
}

/// Checks the rules with 500 random histories, or with as many as the variable `MODEL_RUNS` says.
fn check(rules: Rules, kinds: impl Strategy<Value = ToolKind>) -> Result<(), String> {
    check_histories(rules, kinds, histories())
}

fn check_histories(
    rules: Rules,
    kinds: impl Strategy<Value = ToolKind>,
    histories: impl Strategy<Value = Vec<Event>>,
) -> Result<(), String> {
    let runs = env::var("MODEL_RUNS").map_or(500, |runs| runs.parse().expect("`MODEL_RUNS` is a number"));
    search(rules, (kinds, histories), runs, 4000)
}

/// Runs `cases` random histories. If a history violates an invariant, stops and returns that history minimized.
fn search(
    rules: Rules,
    strategy: impl Strategy<Value = (ToolKind, Vec<Event>)>,
    cases: u32,
    max_shrink_iters: u32,
) -> Result<(), String> {
    let config = Config { cases, failure_persistence: None, max_shrink_iters, ..Config::default() };
    let random = TestRng::from_seed(RngAlgorithm::XorShift, &[7; 16]);
    let run = |(kind, events)| World::run(rules, kind, events).map_err(TestCaseError::fail);
    TestRunner::new_with_rng(config, random).run(&strategy, run).map_err(|error| match error {
        TestError::Fail(reason, (kind, events)) => format!("{reason}: {kind:?}, {events:?}"),
        TestError::Abort(reason) => reason.to_string(),
    })
}

/// The tools without other tools.
fn kinds() -> impl Strategy<Value = ToolKind> {
    use ToolKind::{Book, Pay, Plan, Wander};
    prop_oneof![3 => Just(Book), 1 => Just(Plan), 2 => Just(Pay), 1 => Just(Wander)]
}

fn histories() -> impl Strategy<Value = Vec<Event>> {
    prop::collection::vec(events(), 1..60)
}

/// Histories in which the call often has asked both questions before the first event.
#[cfg(feature = "remote")]
fn late_histories() -> impl Strategy<Value = Vec<Event>> {
    let answered = Event::Send { instance: 0, earlier: 0, answer: Answer::First, copies: 1, lost: false };
    let asked = [answered, Event::Flow { instance: 0 }, answered];
    (prop::sample::subsequence(asked.to_vec(), 0..=3), histories()).prop_map(|(asked, events)| [asked, events].concat())
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
        12 => (instance(), any::<bool>()).prop_map(|(instance, cuts)| Event::Kill { instance, cuts }),
        5 => instance().prop_map(|instance| Event::Forget { instance }),
        5 => which().prop_map(|which| Event::Fail { which }),
        5 => away,
        4 => step,
        4 => instance().prop_map(|instance| Event::Another { instance }),
        2 => Just(Event::Pass(HOUR / 3)),
        2 => Just(Event::Pass(HOUR)),
        2 => Just(Event::Evict),
        1 => Just(Event::Lose),
    ]
}
