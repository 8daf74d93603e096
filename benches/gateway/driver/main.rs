//! Counts the instructions of a call through a gateway on stdio: in the gateway, in the server behind it, and in an
//! application that calls this server without a gateway.
//!
//! `cargo bench -p mcp-benches-gateway` prints the table; `-- --check` fails where a limit is exceeded. Needs valgrind.

#![expect(clippy::print_stdout, reason = "a report is what standard output is for")]

#[path = "../../driver/bench.rs"]
mod bench;
#[path = "../../driver/callgrind.rs"]
mod callgrind;
#[allow(dead_code, reason = "one request is in flight")]
#[path = "../../driver/conversation.rs"]
mod conversation;
#[path = "../../driver/memory_of.rs"]
mod memory_of;
#[allow(dead_code, reason = "the only tool is `echo`")]
#[path = "../../driver/workload.rs"]
mod workload;

use std::process::{Command, ExitCode};

use self::{
    conversation::Conversation,
    workload::{Ask, Era, Workload},
};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const BEHIND: &str = env!("CARGO_BIN_EXE_gateway_behind");
const CALLS: u32 = 500;

/// The most instructions of our gateway for each call.
const LIMIT: f64 = 73_500.0;

/// The most that a call through the gateway costs, in the gateway and in the server behind it, relative to two calls: that of
/// the server `echo`, and that of an application which calls this server.
const MOST: f64 = 1.6;

fn main() -> ExitCode {
    bench::main(|arguments| Ok(measure()? || !arguments.iter().any(|argument| argument == "--check")))
}

/// Prints the figures. Returns whether the limits are kept.
fn measure() -> Result<bool> {
    let floor = served("floor-gateway", &[env!("CARGO_BIN_EXE_floor_gateway"), BEHIND])?;
    let rmcp = served("rmcp-gateway", &[env!("CARGO_BIN_EXE_rmcp_gateway"), BEHIND])?;
    let ours = served("gateway", &[env!("CARGO_BIN_EXE_gateway"), BEHIND])?;
    let behind = served("behind", &[BEHIND, "1"])?;
    let caller = called()?;
    let (hop, calls) = (ours + behind, 2.0 * behind + caller);
    println!("| instructions: echo of 100 B through a gateway | floor | rmcp | mcp-runtime | limit |");
    println!("| --- | --: | --: | --: | --: |");
    println!("| in the gateway | {floor:.0} | {rmcp:.0} | {ours:.0} | {LIMIT:.0} |");
    println!("| in the server behind it | | | {behind:.0} | |");
    println!("| in an application that calls this server | | | {caller:.0} | |");
    println!("| gateway and server, of the two calls without a gateway | | | {:.2} × | {MOST} × |", hop / calls);
    println!("| the same, of what the two calls cost in their servers | | | {:.2} × | |", hop / (2.0 * behind));
    Ok(ours <= LIMIT && hop <= MOST * calls)
}

/// Returns the instructions of a server for each call.
fn served(name: &str, program: &[&str]) -> Result<f64> {
    let workload = Workload { ask: Ask::Echo(100), era: Era::Modern, tools: 1 };
    counted(name, program, |command, count| {
        let mut conversation = Conversation::start(command, &workload)?;
        conversation.ask(&workload, count)?;
        conversation.end()
    })
}

/// Returns the instructions of an application for each call.
fn called() -> Result<f64> {
    counted("caller", &[env!("CARGO_BIN_EXE_gateway_caller"), BEHIND], |mut command, count| {
        let status = command.arg(count.to_string()).status()?;
        if status.success() { Ok(()) } else { Err(format!("the application ended with {status}").into()) }
    })
}

fn counted(name: &str, program: &[&str], run: impl Fn(Command, u32) -> Result<()> + Sync) -> Result<f64> {
    callgrind::per_call(CALLS, |count| {
        callgrind::instructions(&format!("{name}-{count}"), |wrapper, (variable, value)| {
            let mut command = Command::new(wrapper[0]);
            command.args(&wrapper[1..]).args(program).env(variable, value);
            run(command, count)
        })
    })
}
