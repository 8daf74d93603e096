//! Instructions per call, counted by callgrind: user space, one connection, one request in flight. The difference of two
//! run lengths leaves out the start of the process and the opening of a session.

use std::{env, fs, process, thread};

use crate::{
    Result,
    client::Client,
    contestant::{self, Contestant},
    report::{Row, Unit},
    server::Server,
    workload::{Ask, Era, Workload},
};

/// A workload, how often it is asked for, and the most `mcp-runtime` may need.
const PLAN: [(&str, Workload, u32, f64); 5] = [
    ("echo of 100 B, 2026-07-28", of(Ask::Echo(100), Era::Modern, 1), 1000, 45_000.0),
    ("echo of 100 B, 2025-11-25", of(Ask::Echo(100), Era::Legacy, 1), 1000, 40_000.0),
    ("confirmation, two requests of 2026-07-28, sealed", of(Ask::Confirm("confirm"), Era::Modern, 2), 500, 140_000.0),
    ("echo of 100 KB, 2026-07-28", of(Ask::Echo(100_000), Era::Modern, 1), 100, 1_300_000.0),
    ("list of 100 tools, 2026-07-28", of(Ask::List, Era::Modern, 100), 200, 70_000.0),
];

/// Valgrind counts `rep movsb`, with which glibc copies large blocks, as one instruction for every byte. Without it
/// glibc copies in a loop, which is counted as the processor would.
const COPY_IN_A_LOOP: (&str, &str) = ("GLIBC_TUNABLES", "glibc.cpu.x86_rep_movsb_threshold=0x7fffffff");

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
    Ok(rows)
}

fn per_call(contestant: &Contestant, workload: &Workload, count: u32) -> Result<f64> {
    let start = count / 5;
    let (short, long) = thread::scope(|scope| {
        let short = scope.spawn(|| instructions(contestant, workload, start).map_err(|error| error.to_string()));
        let long = instructions(contestant, workload, start + count);
        (short.join(), long)
    });
    let short = short.map_err(|_| "the shorter run panicked")??;
    Ok((long? - short) / f64::from(count))
}

/// All instructions of a server that is asked `count` times. With `CALLGRIND_OUT=folder` the profiles are kept there.
fn instructions(contestant: &Contestant, workload: &Workload, count: u32) -> Result<f64> {
    let log = env::temp_dir().join(format!("callgrind-http-{}-{count}.log", process::id()));
    let profile = match env::var("CALLGRIND_OUT") {
        Ok(folder) => format!("{folder}/http-{}-{workload}-{count}", contestant.name),
        Err(_) => "/dev/null".to_owned(),
    };
    let wrapper = [
        "valgrind",
        "--tool=callgrind",
        &format!("--callgrind-out-file={profile}"),
        &format!("--log-file={}", log.display()),
    ];
    let mut command = contestant.command(&wrapper);
    command.env(COPY_IN_A_LOOP.0, COPY_IN_A_LOOP.1);
    let server = Server::start(command, workload)?;
    let mut client = Client::connect(server.address, workload)?;
    client.ask(workload, count)?;
    drop(client);
    server.end()?;
    let text = fs::read_to_string(&log)?;
    fs::remove_file(&log)?;
    let collected = text.lines().find_map(|line| line.split_once("Collected : ")).ok_or("callgrind gave no count")?;
    Ok(collected.1.trim().parse()?)
}
