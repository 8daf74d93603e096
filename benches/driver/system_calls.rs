//! System calls per tool call, with one request in flight. The figure is the difference of two runs of different
//! lengths under strace.

use std::{env, fs, process};

use crate::{
    Result,
    contestant::{self, Contestant},
    conversation::Conversation,
    report::{Row, Unit},
    workload::{Ask, Era, Workload},
};

pub(crate) fn measure() -> Result<Vec<Row>> {
    let echo = Workload { ask: Ask::Echo(100), era: Era::Modern, tools: 1 };
    let mut figures = [0.0; 3];
    for (figure, contestant) in figures.iter_mut().zip(&contestant::ALL) {
        *figure = per_call(contestant, &echo)?;
    }
    let confirm = Workload { ask: Ask::Confirm("confirm"), era: Era::Legacy, tools: 2 };
    let asking = [f64::NAN, f64::NAN, per_call(&contestant::ASKING, &confirm)?];
    Ok(vec![
        Row::new("echo of 100 B, 2026-07-28", Unit::Count, figures).at_most(3.0),
        Row::new("confirmation in a session of 2025-11-25", Unit::Count, asking).at_most(5.0),
    ])
}

fn per_call(contestant: &Contestant, workload: &Workload) -> Result<f64> {
    let (short, long) = (system_calls(contestant, workload, 200)?, system_calls(contestant, workload, 1200)?);
    Ok((long - short) / 1000.0)
}

fn system_calls(contestant: &Contestant, workload: &Workload, count: u32) -> Result<f64> {
    let table = env::temp_dir().join(format!("strace-{}.txt", process::id()));
    let wrapper = ["strace", "-f", "-c", "-o", &table.display().to_string()];
    let mut conversation = Conversation::start(contestant.command(&wrapper, workload), workload)?;
    conversation.ask(workload, count)?;
    conversation.end()?;
    let text = fs::read_to_string(&table)?;
    fs::remove_file(&table)?;
    // `100.00  0.012345  10  1234  1 total`: share, seconds, microseconds per call, calls, errors.
    let total = text.lines().rfind(|line| line.ends_with(" total")).ok_or("strace gave no total")?;
    Ok(total.split_whitespace().nth(3).ok_or("strace gave no count")?.parse()?)
}
