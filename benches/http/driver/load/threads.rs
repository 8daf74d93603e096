//! What a second thread is good for, where the server and its client share the processors of the machine.

use super::{Speed, are_two_processors, median_of, one_round};
use crate::{
    Result,
    contestant::ALL,
    report::{Row, Unit},
    workload::{Ask, Era, Workload},
};

const ROUNDS: usize = 5;
const CONNECTIONS: usize = 64;
/// How many times the calls per second of one thread are due, of the work that leaves the client least to do.
const TIMES_ONE: f64 = 1.3;

const CONFIRM: Workload = Workload { ask: Ask::Confirm("confirm"), era: Era::Modern, tools: 2 };
const PLAN: [(&str, Workload); 3] = [
    ("confirmation, two requests", CONFIRM),
    ("echo of 100 KB", Workload { ask: Ask::Echo(100_000), tools: 1, ..CONFIRM }),
    ("echo of 100 B", Workload { ask: Ask::Echo(100), tools: 1, ..CONFIRM }),
];

/// Nothing where there is one processor.
pub(crate) fn measure() -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    if !are_two_processors() {
        return Ok(rows);
    }
    for (name, workload) in &PLAN {
        let mut ratios = Vec::new();
        for _ in 0..ROUNDS {
            let [one, two] = [per_second(workload, "THREADS=1")?, per_second(workload, "THREADS=2")?];
            ratios.push(two / one);
        }
        let ratio = median_of(&mut ratios);
        let row = Row::new(format!("{name}: with two threads, times one"), Unit::Count, [f64::NAN, f64::NAN, ratio]);
        let is_limited = *workload == CONFIRM;
        rows.push(if is_limited { row.limit(format!("≥ {TIMES_ONE}"), ratio >= TIMES_ONE) } else { row });
    }
    Ok(rows)
}

fn per_second(workload: &Workload, threads: &str) -> Result<f64> {
    let [.., ours] = &ALL;
    let Speed { calls_per_second, .. } = one_round(ours.command(&["env", threads]), workload, CONNECTIONS)?;
    Ok(calls_per_second)
}
