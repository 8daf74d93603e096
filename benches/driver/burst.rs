//! Many calls at once that wait, each for as long: how far a server holds them up.

use crate::{
    Result,
    report::{Row, Unit},
    workload::{Ask, Era, Workload},
};

/// So many calls, which take so many milliseconds each.
pub(crate) const CALLS: usize = 1000;
const MILLISECONDS: u64 = 50;
const ROUNDS: usize = 7;
/// Of this, the time that a call takes by itself must be so much.
const SHARE: f64 = 0.85;

pub(crate) const NAP: Workload = Workload { ask: Ask::Nap(MILLISECONDS), era: Era::Modern, tools: 1 };

/// `round`: the milliseconds until a contestant has answered all.
pub(crate) fn measure<C>(rmcp: &C, ours: &C, round: impl Fn(&C) -> Result<f64>) -> Result<Vec<Row>> {
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        rounds.push([round(rmcp)?, round(ours)?]);
    }
    Ok(vec![row(&rounds)])
}

/// The floor is the time that one call takes. The limit is held against the best round, since others may be at work on
/// the machine.
fn row(rounds: &[[f64; 2]]) -> Row {
    let sorted = |column: usize| {
        let mut times: Vec<f64> = rounds.iter().map(|round| round[column]).collect();
        times.sort_by(f64::total_cmp);
        times
    };
    let (rmcp, ours) = (sorted(0), sorted(1));
    let (middle, ideal) = (rounds.len() / 2, MILLISECONDS as f64);
    let most = ideal / SHARE;
    let words = format!("≤ {most:.1} ms; best round {:.1} ms", ours[0]);
    let name = format!("{CALLS} calls of {MILLISECONDS} ms at once: all are answered within");
    Row::new(name, Unit::Milliseconds, [ideal, rmcp[middle], ours[middle]]).limit(words, ours[0] <= most)
}
