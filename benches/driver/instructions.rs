//! Instructions per call, counted by callgrind: user space, one request in flight. The difference of two run lengths
//! leaves the start of the process out. These figures do not depend on what else the machine does.

use std::{env, fs, process, thread};

use crate::{
    Result,
    contestant::{self, Contestant},
    conversation::Conversation,
    report::{Row, Unit},
    workload::{Ask, Era, Workload},
};

/// A workload, how often it is asked for, and the most `mcp-runtime` may need.
const PLAN: [(&str, Workload, u32, f64); 6] = [
    ("echo of 100 B, 2026-07-28", echo(Era::Modern, 100, 1), 1000, 20_000.0),
    ("the same, as one of 100 tools", echo(Era::Modern, 100, 100), 1000, 20_000.0),
    ("echo of 100 B, 2025-11-25", echo(Era::Legacy, 100, 1), 1000, 15_000.0),
    ("the same, as one of 100 tools", echo(Era::Legacy, 100, 100), 1000, 15_000.0),
    ("echo of 100 KB, 2026-07-28", echo(Era::Modern, 100_000, 1), 100, 1_200_000.0),
    ("list of 100 tools, 2026-07-28", LIST, 200, 40_000.0),
];

/// Valgrind counts `rep movsb`, with which glibc copies large blocks, as one instruction for every byte. Without it
/// glibc copies in a loop, which is counted as the processor would.
const COPY_IN_A_LOOP: (&str, &str) = ("GLIBC_TUNABLES", "glibc.cpu.x86_rep_movsb_threshold=0x7fffffff");

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
        rows.push(Row::new(*name, Unit::Count, figures).at_most(*most));
    }
    rows.extend(conversations()?);
    let mut figures = [0.0; 3];
    for (figure, contestant) in figures.iter_mut().zip(&contestant::ALL) {
        *figure = instructions(contestant, &LIST, 1)?;
    }
    rows.push(Row::new("whole life of a server asked for that list once", Unit::Count, figures));
    Ok(rows)
}

/// A confirmation is two requests: one that is answered with a question, and the same with the answer.
fn conversations() -> Result<Vec<Row>> {
    const COUNT: u32 = 500;
    let [floor, rmcp, _] = &contestant::ALL;
    let (asking, sealed) = (&contestant::ASKING, &contestant::sealed()?);
    let confirm = Workload { ask: Ask::Confirm("confirm"), era: Era::Modern, tools: 2 };
    let hand_over = Workload { ask: Ask::Confirm("hand_over"), ..confirm };

    let (floor, rmcp) = (per_call(floor, &confirm, COUNT)?, per_call(rmcp, &confirm, COUNT)?);
    let row = |name: &str, workload, [floor, rmcp]: [f64; 2], ours, most| -> Result<Row> {
        Ok(Row::new(name, Unit::Count, [floor, rmcp, per_call(ours, workload, COUNT)?]).at_most(most))
    };
    const NOBODY: [f64; 2] = [f64::NAN; 2];
    Ok(vec![
        row("confirmation, two requests of 2026-07-28", &confirm, [floor, rmcp], asking, 85_000.0)?,
        // Meant to stay under 90 k; where the code lies makes a difference of one part in a hundred.
        row("the same, sealed; the others seal nothing", &confirm, [floor, rmcp], sealed, 92_000.0)?,
        row("the same as a `#[handoff]`", &hand_over, NOBODY, asking, 115_000.0)?,
        row("the same, sealed", &hand_over, NOBODY, sealed, 140_000.0)?,
    ])
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
    let log = env::temp_dir().join(format!("callgrind-{}-{count}.log", process::id()));
    let profile = match env::var("CALLGRIND_OUT") {
        Ok(folder) => format!("{folder}/{}-{workload}-{count}", contestant.name),
        Err(_) => "/dev/null".to_owned(),
    };
    let wrapper = [
        "valgrind",
        "--tool=callgrind",
        &format!("--callgrind-out-file={profile}"),
        &format!("--log-file={}", log.display()),
    ];
    let mut command = contestant.command(&wrapper, workload);
    command.env(COPY_IN_A_LOOP.0, COPY_IN_A_LOOP.1);
    let mut conversation = Conversation::start(command, workload)?;
    conversation.ask(workload, count)?;
    conversation.end()?;
    let text = fs::read_to_string(&log)?;
    fs::remove_file(&log)?;
    let collected = text.lines().find_map(|line| line.split_once("Collected : ")).ok_or("callgrind gave no count")?;
    Ok(collected.1.trim().parse()?)
}
