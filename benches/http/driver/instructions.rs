//! Instructions per call in user space, counted by callgrind, with one connection and one request in flight. The
//! difference of two runs of different lengths excludes the start of the process and the opening of a session.

use crate::{
    Result, callgrind,
    client::Client,
    contestant::{self, Contestant},
    report::{Row, Unit},
    server::Server,
    workload::{Ask, Era, Workload},
};

/// Each entry contains a name, a workload, the number of its requests, and the limit for `mcp-runtime`.
const PLAN: [(&str, Workload, u32, f64); 6] = [
    ("echo of 100 B, 2026-07-28", of(Ask::Echo(100), Era::Modern, 1), 1000, 35_300.0),
    ("echo of 100 B, 2025-11-25", of(Ask::Echo(100), Era::Legacy, 1), 1000, 30_100.0),
    ("confirmation, two requests of 2026-07-28, sealed", of(Ask::Confirm("confirm"), Era::Modern, 2), 500, 98_200.0),
    ("confirmation in a session of 2025-11-25", of(Ask::Confirm("confirm"), Era::Legacy, 2), 500, 81_400.0),
    ("echo of 100 KB, 2026-07-28", of(Ask::Echo(100_000), Era::Modern, 1), 100, 1_230_000.0),
    ("list of 100 tools, 2026-07-28", of(Ask::List, Era::Modern, 100), 200, 33_400.0),
];

const fn of(ask: Ask, era: Era, tools: u32) -> Workload {
    Workload { ask, era, tools }
}

pub(crate) fn measure() -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (name, workload, count, most) in &PLAN {
        let mut figures = [0.0; 3];
        for (figure, contestant) in figures.iter_mut().zip(&contestant::ALL) {
            *figure = per_call(contestant, workload, *count)?;
        }
        rows.push(Row::new(*name, Unit::Count, figures).at_most(*most));
    }
    let [_, _, ours] = &contestant::ALL;
    let filtered = of(Ask::FilteredList, Era::Modern, 100);
    let figures = [f64::NAN, f64::NAN, per_call(ours, &filtered, 200)?];
    rows.push(Row::new("list of the 100 of 101 tools that the scopes allow", Unit::Count, figures).at_most(33_700.0));
    let hand_over = of(Ask::Confirm("hand_over"), Era::Modern, 2);
    let figures = [f64::NAN, f64::NAN, per_call(ours, &hand_over, 500)?];
    rows.push(Row::new("a `#[handoff]`, two requests, sealed", Unit::Count, figures).at_most(116_200.0));
    Ok(rows)
}

fn per_call(contestant: &Contestant, workload: &Workload, count: u32) -> Result<f64> {
    let measured = || callgrind::per_call(count, |count| instructions(contestant, workload, count));
    let mut figure = measured();
    // Under callgrind a connection of those that this crate is compared with is reset or refused now and then.
    let mut more_tries = if contestant.name == "mcp-runtime" { 0 } else { 3 };
    while figure.is_err() && more_tries > 0 {
        figure = measured();
        more_tries -= 1;
    }
    figure.map_err(|error| format!("{}, {workload}: {error}", contestant.name).into())
}

/// Returns all instructions of a server that gets `count` requests.
fn instructions(contestant: &Contestant, workload: &Workload, count: u32) -> Result<f64> {
    let profile = format!("http-{}-{workload}-{count}", contestant.name);
    callgrind::instructions(&profile, |wrapper, (name, value)| {
        let mut command = contestant.command(wrapper);
        command.env(name, value);
        let server = Server::start(command, workload)?;
        let mut client = Client::connect(server.address, workload)?;
        client.ask(workload, count)?;
        drop(client);
        server.end()?;
        Ok(())
    })
}
