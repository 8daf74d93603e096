//! Measures how much a second thread helps if the server and the client share the processors of the machine.

use super::{Connections, LONG_ROUND, Speed, one_round};
use crate::{
    Result, contestant,
    figures::{ascending, median},
    processors,
    report::{Row, Unit},
    workload::{Ask, Era, Workload},
};

const ROUNDS: usize = 5;
/// The connections of the client. A client that writes and reads many calls at a time uses less processor time, so more
/// is left for the server.
const CONNECTIONS: Connections = Connections { number: 32, at_a_time: 16 };
/// The minimum calls per second with two threads, as a multiple of those with one thread.
const TIMES_ONE: f64 = 1.3;

const CONFIRM: Workload = Workload { ask: Ask::Confirm("confirm"), era: Era::Modern, tools: 2 };
const PLAN: [(&str, Workload); 3] = [
    ("confirmation, two requests", CONFIRM),
    ("echo of 100 KB", Workload { ask: Ask::Echo(100_000), tools: 1, ..CONFIRM }),
    ("echo of 100 B", Workload { ask: Ask::Echo(100), tools: 1, ..CONFIRM }),
];

/// Measures one and two threads. Returns no rows if there is only one processor. The client uses a part of both
/// processors, so the calls per second cannot double.
pub(crate) fn measure() -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    if !processors::are_two() {
        return Ok(rows);
    }
    for (name, workload) in &PLAN {
        let (mut more, mut dearer) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let [one, two] = [speed(workload, "THREADS=1")?, speed(workload, "THREADS=2")?];
            more.push(two.calls_per_second / one.calls_per_second);
            dearer.push(two.processor_microseconds / one.processor_microseconds);
        }
        let row = |what: &str, ratio| {
            Row::new(format!("{name}: {what}, two threads / one"), Unit::Count, [f64::NAN, f64::NAN, ratio])
        };
        let more = ascending(more);
        let best = more[ROUNDS - 1];
        rows.push(
            row("per second", more[ROUNDS / 2])
                .limit(format!("≥ {TIMES_ONE}; best round {best:.2}"), best >= TIMES_ONE),
        );
        rows.push(row("processor time of each", median(dearer)));
    }
    Ok(rows)
}

fn speed(workload: &Workload, threads: &str) -> Result<Speed> {
    one_round(contestant::THREADS.command(&["env", threads]), workload, CONNECTIONS, LONG_ROUND)
}
