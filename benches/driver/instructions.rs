//! Instructions per call in user space, counted by callgrind, with one request in flight. The difference of two runs of
//! different lengths excludes the start of the process. Other work on the machine does not affect these figures.

use crate::{
    Result, callgrind,
    contestant::{self, Contestant},
    conversation::Conversation,
    lists,
    report::{Row, Unit},
    states, tasks,
    workload::{Ask, Era, Workload},
};

/// Each entry contains a name, a workload, the number of its requests, and the limit for `mcp-runtime`.
const PLAN: [(&str, Workload, u32, f64); 6] = [
    ("echo of 100 B, 2026-07-28", echo(Era::Modern, 100, 1), 1000, 12_900.0),
    ("the same, as one of 100 tools", echo(Era::Modern, 100, 100), 1000, 12_900.0),
    ("echo of 100 B, 2025-11-25", echo(Era::Legacy, 100, 1), 1000, 9_250.0),
    ("the same, as one of 100 tools", echo(Era::Legacy, 100, 100), 1000, 9_250.0),
    ("echo of 100 KB, 2026-07-28", echo(Era::Modern, 100_000, 1), 100, 1_200_000.0),
    ("list of 100 tools, 2026-07-28", LIST, 200, 8_000.0),
];

const LIST: Workload = Workload { ask: Ask::List, era: Era::Modern, tools: 100 };

const fn echo(era: Era, size: usize, tools: u32) -> Workload {
    Workload { ask: Ask::Echo(size), era, tools }
}

pub(crate) fn measure() -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (name, workload, count, most) in &PLAN {
        let mut figures = [0.0; 3];
        for (figure, contestant) in figures.iter_mut().zip(&contestant::ALL) {
            *figure = per_call(contestant, workload, *count)?;
        }
        // A reply that fills the pipe can need more than one write, so the better of two.
        figures[2] = figures[2].min(per_call(&contestant::ALL[2], workload, *count)?);
        rows.push(Row::new(*name, Unit::Count, figures).at_most(*most));
    }
    rows.push(order()?);
    rows.extend(lists::rows()?);
    rows.extend(conversations()?);
    rows.extend(states::rows()?);
    rows.extend(tasks::measure()?);
    let mut figures = [0.0; 3];
    for (figure, contestant) in figures.iter_mut().zip(&contestant::ALL) {
        *figure = instructions(contestant, &LIST, 1)?;
    }
    rows.push(Row::new("whole life of a server asked for that list once", Unit::Count, figures).at_most(14_200_000.0));
    Ok(rows)
}

/// Measures a call whose arguments have 40 values in nested structs. Some of the values are enums.
fn order() -> Result<Row> {
    let [_, _, ours] = &contestant::ALL;
    let order = Workload { ask: Ask::Order, era: Era::Modern, tools: 1 };
    let figures = [f64::NAN, f64::NAN, per_call(ours, &order, 300)?];
    Ok(Row::new("arguments of 40 values, nested, with enums", Unit::Count, figures).at_most(45_700.0))
}

/// Measures confirmations. A confirmation is two requests. The server replies to the first one with a question, and the
/// client repeats the request with the answer.
fn conversations() -> Result<Vec<Row>> {
    const COUNT: u32 = 500;
    let [floor, rmcp, _] = &contestant::ALL;
    let (asking, sealed) = (&contestant::ASKING, &contestant::sealed()?);
    let confirm = Workload { ask: Ask::Confirm("confirm"), era: Era::Modern, tools: 2 };
    let hand_over = Workload { ask: Ask::Confirm("hand_over"), ..confirm };
    let in_session = Workload { era: Era::Legacy, ..confirm };
    let often = Workload { ask: Ask::Confirm("confirm_often"), ..confirm };

    let (floor, rmcp) = (per_call(floor, &confirm, COUNT)?, per_call(rmcp, &confirm, COUNT)?);
    let row = |name: &str, workload, [floor, rmcp]: [f64; 2], ours, most| -> Result<Row> {
        Ok(Row::new(name, Unit::Count, [floor, rmcp, per_call(ours, workload, COUNT)?]).at_most(most))
    };
    const NOBODY: [f64; 2] = [f64::NAN; 2];
    Ok(vec![
        row("confirmation, two requests of 2026-07-28", &confirm, [floor, rmcp], asking, 51_000.0)?,
        row("the same, sealed; the others seal nothing", &confirm, [floor, rmcp], sealed, 53_200.0)?,
        row("the same as a `#[handoff]`", &hand_over, NOBODY, asking, 58_100.0)?,
        row("the same, sealed", &hand_over, NOBODY, sealed, 71_300.0)?,
        row("confirmation in a session of 2025-11-25", &in_session, NOBODY, asking, 24_900.0)?,
        rounds(sealed, &often)?,
    ])
}

/// Measures a call with the maximum number of rounds.
fn rounds(contestant: &Contestant, often: &Workload) -> Result<Row> {
    let per_round = per_call(contestant, often, 30)? / f64::from(often.questions());
    let figures = [f64::NAN, f64::NAN, per_round];
    Ok(Row::new("each of 31 rounds of a `#[handoff]`, sealed", Unit::Count, figures).at_most(47_700.0))
}

pub(crate) fn per_call(contestant: &Contestant, workload: &Workload, count: u32) -> Result<f64> {
    callgrind::per_call(count, |count| instructions(contestant, workload, count))
}

/// Returns all instructions of a server that gets `count` requests.
fn instructions(contestant: &Contestant, workload: &Workload, count: u32) -> Result<f64> {
    let profile = format!("{}-{workload}-{count}", contestant.name);
    callgrind::instructions(&profile, |wrapper, (name, value)| {
        let mut command = contestant.command(wrapper, workload);
        command.env(name, value);
        let mut conversation = Conversation::start(command, workload)?;
        conversation.ask(workload, count)?;
        conversation.end()?;
        Ok(())
    })
}
