//! Echo calls per second with 32 requests in flight, and the processor time of each call. The contestants take turns,
//! so that other work on the machine affects all of them.

use std::{
    io::Write as _,
    time::{Duration, Instant},
};

use crate::{
    Result,
    contestant::{self, Contestant},
    conversation::Conversation,
    figures::{ascending, median},
    processor_time::processor_time,
    report::{Row, Unit},
    workload::{Ask, Era, Requests, Workload},
};

const IN_FLIGHT: usize = 32;
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_millis(500);
/// The minimum calls per second of `mcp-runtime`, as a multiple of those of `rmcp`.
const TIMES_RMCP: f64 = 8.0;

/// Measures all contestants. `rmcp` has two transports for standard input and output. The limit compares with the
/// transport that the guides of `rmcp` use. The other transport is faster, and only for pipes.
pub(crate) fn measure() -> Result<Vec<Row>> {
    let [guides, pipes] = [rounds("blocking")?, rounds("pipes")?];
    let ratio = |round: &[Speed; 3]| round[2].calls_per_second / round[1].calls_per_second;
    let best = guides.iter().map(ratio).fold(0.0, f64::max);
    let words =
        format!("≥ {TIMES_RMCP} × rmcp; rounds: median {:.1}, best {best:.1}", median(guides.iter().map(ratio)));
    let mut rows = Vec::new();
    for (rounds, transport) in [(&guides, "stdio()"), (&pipes, "stdio_pipes()")] {
        let name = format!("echoes of 100 B per second, 32 in flight; rmcp with `{transport}`");
        rows.push(row(&name, Unit::PerSecond, rounds, |speed| speed.calls_per_second));
        rows.push(row("processor time of each", Unit::Microseconds, rounds, |speed| speed.processor_microseconds));
    }
    let first = rows.remove(0);
    rows.insert(0, first.limit(words, best >= TIMES_RMCP));
    Ok(rows)
}

fn row(name: &str, unit: Unit, rounds: &[[Speed; 3]], figure: fn(&Speed) -> f64) -> Row {
    let columns = [0, 1, 2].map(|column| ascending(rounds.iter().map(|round| figure(&round[column]))));
    let medians = columns.each_ref().map(|figures| figures[ROUNDS / 2]);
    Row::new(name, unit, medians).spread(columns.map(|figures| [figures[0], figures[ROUNDS - 1]]))
}

fn rounds(transport: &str) -> Result<Vec<[Speed; 3]>> {
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let mut round = [Speed::default(); 3];
        for (speed, contestant) in round.iter_mut().zip(&contestant::ALL) {
            *speed = one_round(contestant, transport)?;
        }
        rounds.push(round);
    }
    Ok(rounds)
}

#[derive(Clone, Copy, Default)]
struct Speed {
    calls_per_second: f64,
    processor_microseconds: f64,
}

fn one_round(contestant: &Contestant, transport: &str) -> Result<Speed> {
    let workload = Workload { ask: Ask::Echo(100), era: Era::Modern, tools: 1 };
    let mut command = contestant.command(&[], &workload);
    command.env("RMCP_STDIO", transport);
    let mut conversation = Conversation::start(command, &workload)?;
    conversation.ask(&workload, 1)?;
    let mut requests = workload.requests();
    exchange(&mut conversation, &mut requests, IN_FLIGHT, ROUND / 10)?; // warms up
    let (before, begin) = (processor_time(conversation.process_id())?, Instant::now());
    let calls = exchange(&mut conversation, &mut requests, IN_FLIGHT, ROUND)?;
    let (time, after) = (begin.elapsed(), processor_time(conversation.process_id())?);
    conversation.end()?;
    Ok(Speed {
        calls_per_second: calls / time.as_secs_f64(),
        processor_microseconds: (after - before).as_secs_f64() * 1e6 / calls,
    })
}

/// Keeps the same number of requests in flight for some time, and returns how many were answered. After each read, the
/// client sends new requests for all that were answered in one write, as a busy client does.
pub(crate) fn exchange(
    conversation: &mut Conversation,
    requests: &mut Requests,
    in_flight: usize,
    time: Duration,
) -> Result<f64> {
    let begin = Instant::now();
    let (mut sent, mut answered, mut open) = (Vec::new(), 0, 0);
    loop {
        if answered == 0 && open == 0 || begin.elapsed() < time {
            sent.clear();
            while open < in_flight {
                requests.push_next(&mut sent);
                open += 1;
            }
            conversation.input.write_all(&sent)?;
        } else if open == 0 {
            return Ok(answered as f64);
        }
        let lines = conversation.take_lines()?;
        open -= lines;
        answered += lines;
    }
}
