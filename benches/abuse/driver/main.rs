//! Measures how much memory one client can make a server use, and how long it can make other clients wait.
//!
//! `cargo bench -p mcp-benches-abuse` runs all cases; `-- NAME…` runs those named; `-- --server PATH` runs them against
//! another build of `abused`, to compare. See `benches/README.md`.

#![expect(clippy::print_stdout, reason = "a report is what standard output is for")]

#[path = "../../driver/bench.rs"]
mod bench;
mod conversations;
mod crowd;
mod http;
#[path = "../../driver/memory_of.rs"]
mod memory_of;
mod payload;
mod server;
mod stdio;

use std::{
    fmt,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// One way of abusing a server.
struct Case {
    name: &'static str,
    /// What the client does.
    abuse: &'static str,
    run: fn(&Path) -> Result<Claimed>,
}

/// The cost of a case for the server, for the client and for other clients.
#[derive(Default)]
struct Claimed {
    /// The peak memory of the server in bytes.
    peak: u64,
    others: Others,
    gains: Gains,
}

/// What the abusive client gets from the server.
#[derive(Default)]
enum Gains {
    #[default]
    Nothing,
    /// A reply with this many bytes.
    Reply(usize),
    Sessions(usize),
    /// This many calls that wait for the user.
    Calls(usize),
}

/// How another client fared.
#[derive(Default)]
enum Others {
    /// There was no other client.
    #[default]
    Absent,
    /// The other client waited this long for its answer.
    Waited(Duration),
    /// The server rejected the other client with this status.
    Refused(u16),
    /// The server rejected the answer of the other client with this status.
    RefusedAnswer(u16),
    /// The server lost the call of the other client before the answer arrived.
    Lost,
}

const CASES: [Case; 12] = [
    Case {
        name: "unread-logs",
        abuse: "a call logs 500,000 messages of 1 KB; the client reads nothing",
        run: stdio::unread_logs,
    },
    Case {
        name: "unread-lists",
        abuse: "1,000,000 `tools/list` behind a call that logs; the client reads nothing",
        run: stdio::unread_lists,
    },
    Case { name: "batch-of-nonsense", abuse: "a batch `[1,1,…]` of 1 MB", run: stdio::batch_of_nonsense },
    Case { name: "batch-of-lists", abuse: "a batch of `tools/list`, 296 KB", run: stdio::batch_of_lists },
    Case {
        name: "http-batch-of-nonsense",
        abuse: "the same batch of 1 MB over HTTP; another connection sends `ping`",
        run: http::batch_of_nonsense,
    },
    Case {
        name: "http-batch-of-lists",
        abuse: "the same batch of lists over HTTP; another connection sends `ping`",
        run: http::batch_of_lists,
    },
    Case {
        name: "session-flood",
        abuse: "20,000 sessions are opened from two addresses; another client opens one",
        run: crowd::session_flood,
    },
    Case {
        name: "slow-bodies",
        abuse: "256 addresses begin to send 1 MB and stop; another client sends 200 KB",
        run: crowd::slow_bodies,
    },
    Case {
        name: "large-calls",
        abuse: "366 calls with 60 KB of arguments ask and are answered; another client has one such call",
        run: conversations::large,
    },
    Case {
        name: "large-parked-calls",
        abuse: "2,000 such calls that cannot be rebuilt ask and wait; another client has one",
        run: conversations::large_parked,
    },
    Case {
        name: "parked-calls",
        abuse: "20,000 small calls that cannot be rebuilt ask and wait; another client answers one that it began before",
        run: conversations::parked,
    },
    Case {
        name: "session-calls",
        abuse: "20,000 calls with 10 KB of arguments ask and wait in five sessions of 2025-11-25; another client has one of its own",
        run: conversations::in_sessions,
    },
];

fn main() -> ExitCode {
    bench::main(run)
}

fn run(arguments: &[String]) -> Result<bool> {
    let mut server = PathBuf::from(env!("CARGO_BIN_EXE_abused"));
    let mut wanted = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if argument == "--server" {
            server = arguments.next().ok_or("`--server` needs the path of a program")?.into();
        } else if CASES.iter().any(|case| case.name == argument) {
            wanted.push(argument.as_str());
        } else {
            let names = CASES.map(|case| case.name).join(", ");
            return Err(format!("there is no case `{argument}`; the cases are {names}").into());
        }
    }
    println!("| case | what the client does | peak memory | others | it gets |\n|---|---|--:|--:|--:|");
    for case in CASES.iter().filter(|case| wanted.is_empty() || wanted.contains(&case.name)) {
        let Claimed { peak, others, gains } = (case.run)(&server).map_err(|error| format!("{}: {error}", case.name))?;
        println!("| {} | {} | {} | {others} | {gains} |", case.name, case.abuse, megabytes(peak));
    }
    Ok(true)
}

impl fmt::Display for Others {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("–"),
            Self::Waited(time) => write!(f, "wait {:.1} ms", time.as_secs_f64() * 1e3),
            Self::Refused(status) => write!(f, "refused with {status}"),
            Self::RefusedAnswer(status) => write!(f, "refused with {status} after the answer"),
            Self::Lost => f.write_str("lose the call"),
        }
    }
}

impl fmt::Display for Gains {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("–"),
            Self::Reply(bytes) => write!(f, "a reply of {}", megabytes(*bytes as u64)),
            Self::Sessions(sessions) => write!(f, "{sessions} sessions"),
            Self::Calls(calls) => write!(f, "{calls} calls"),
        }
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
