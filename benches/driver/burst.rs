//! Sends many calls at once, which all wait for the same time, and measures how much the server delays them.

use std::time::Duration;

use crate::{
    Result,
    figures::ascending,
    report::{Row, Unit},
    workload::{Ask, Era, Workload},
};

/// The number of calls. Each of them takes `MILLISECONDS`.
pub(crate) const CALLS: usize = 1000;
const MILLISECONDS: u64 = 50;
const ROUNDS: usize = 5;
/// How long `CALLS` calls are kept in flight.
pub(crate) const KEPT: Duration = Duration::from_secs(2);
/// The minimum share of the ideal calls per second that the server must reach.
pub(crate) const SHARE: f64 = 0.85;

pub(crate) const NAP: Workload = Workload { ask: Ask::Nap(MILLISECONDS), era: Era::Modern, tools: 1 };

/// The figures of one server.
#[derive(Clone, Copy)]
pub(crate) struct Burst {
    /// The time until all of `CALLS` calls that are sent at once are answered.
    pub(crate) milliseconds: f64,
    /// The calls per second while `CALLS` calls are in flight.
    pub(crate) calls_per_second: f64,
}

/// The figures of an ideal server, in which only the waiting of the calls takes time.
pub(crate) const IDEAL: Burst =
    Burst { milliseconds: MILLISECONDS as f64, calls_per_second: CALLS as f64 * 1e3 / MILLISECONDS as f64 };

/// Returns the figures of all contestants, which take turns in each round. `limit` converts the milliseconds of the
/// floor in its best round to the maximum for `mcp-runtime`.
pub(crate) fn measure(mut round: impl FnMut() -> Result<[Burst; 3]>, limit: impl Fn(f64) -> f64) -> Result<Vec<Row>> {
    let rounds = (0..ROUNDS).map(|_| round()).collect::<Result<Vec<_>>>()?;
    let sorted = |figure: fn(&Burst) -> f64| {
        [0, 1, 2].map(|column| ascending(rounds.iter().map(|round| figure(&round[column]))))
    };
    let at_once = sorted(|burst| burst.milliseconds);
    let per_second = sorted(|burst| burst.calls_per_second);
    let middles = |sorted: &[Vec<f64>; 3]| [0, 1, 2].map(|column| sorted[column][ROUNDS / 2]);
    // The limits are held against the best round, since others may be at work on the machine.
    let (shortest, most) = (at_once[2][0], limit(at_once[0][0]));
    let (best, least) = (per_second[2][ROUNDS - 1], SHARE * IDEAL.calls_per_second);
    Ok(vec![
        Row::new(
            format!("{CALLS} calls of {MILLISECONDS} ms at once: all are answered within"),
            Unit::Milliseconds,
            middles(&at_once),
        )
        .limit(format!("≤ {most:.1} ms; best round {shortest:.1} ms"), shortest <= most),
        Row::new(
            format!("{CALLS} calls of {MILLISECONDS} ms in flight: per second"),
            Unit::PerSecond,
            middles(&per_second),
        )
        .limit(format!("≥ {:.0} k, {SHARE} of the ideal; best round {:.1} k", least / 1e3, best / 1e3), best >= least),
    ])
}
