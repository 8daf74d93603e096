//! Counts the instructions of calls that an application makes to tools of its own process, and of requests for what a
//! server offers beside tools.
//!
//! `cargo bench -p mcp-benches-http --bench in_process` prints the table; `-- --check` fails where a limit is exceeded.
//! Needs valgrind.

#![expect(clippy::print_stdout, reason = "a report is what standard output is for")]

#[path = "../../driver/bench.rs"]
mod bench;
#[path = "../../driver/callgrind.rs"]
mod callgrind;

use std::process::{Command, ExitCode};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Each entry contains a name, the tool, the number of its calls, and the limit.
const PLAN: [(&str, &str, u32, f64); 7] = [
    ("plugin: echo of 100 B", "echo", 1000, 19_600.0),
    ("plugin: a `#[handoff]` with a confirmation", "hand_over", 500, 91_400.0),
    ("a tool that calls a tool: echo of 100 B", "called", 1000, 37_900.0),
    ("`resources/read` of a view", "view", 1000, 48_900.0),
    ("`skills/list`", "skills", 1000, 13_100.0),
    ("`search_tools`: one of 300 tools", "searched", 200, 184_500.0),
    ("`call_tool`: echo of 100 B, beside 300 tools", "found", 1000, 20_900.0),
];

fn main() -> ExitCode {
    bench::main(|arguments| Ok(measure()? || !arguments.iter().any(|argument| argument == "--check")))
}

/// Prints a row for each entry. Returns whether all limits are kept.
fn measure() -> Result<bool> {
    println!("| instructions in the process of the caller | mcp-runtime | limit |");
    println!("| --- | --: | --: |");
    let mut is_kept = true;
    for (name, tool, count, limit) in PLAN {
        let figure = per_call(tool, count)?;
        println!("| {name} | {figure:.0} | {limit:.0} |");
        is_kept &= figure <= limit;
    }
    Ok(is_kept)
}

fn per_call(tool: &str, count: u32) -> Result<f64> {
    callgrind::per_call(count, |count| {
        callgrind::instructions(&format!("in-process-{tool}-{count}"), |wrapper, (name, value)| {
            let mut command = Command::new(wrapper[0]);
            command.args(&wrapper[1..]).arg(env!("CARGO_BIN_EXE_in_process")).args([tool, &count.to_string()]);
            let status = command.env(name, value).status()?;
            if status.success() { Ok(()) } else { Err(format!("the program ended with {status}").into()) }
        })
    })
}
