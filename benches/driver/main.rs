//! Measures `mcp-runtime` side by side with `rmcp` and with the least a server can do. See `benches/README.md`.

#![expect(clippy::print_stdout, reason = "a report is what standard output is for")]

mod contestant;
mod conversation;
mod instructions;
mod parked;
mod report;
mod start;
mod system_calls;
mod throughput;
mod workload;

use std::{
    env,
    process::{Command, ExitCode, Stdio},
};

use crate::report::{Row, Table};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// One kind of measurement.
struct Part {
    name: &'static str,
    heading: &'static str,
    measure: fn() -> Result<Vec<Row>>,
    /// A program it needs.
    needs: Option<&'static str>,
    /// Whether `--check` is content where the program is missing or not allowed to look at another.
    optional: bool,
}

const PARTS: [Part; 5] = [
    Part {
        name: "instructions",
        heading: "Instructions per call, one in flight",
        measure: instructions::measure,
        needs: Some("valgrind"),
        optional: false,
    },
    Part {
        name: "system-calls",
        heading: "System calls per call, one in flight",
        measure: system_calls::measure,
        needs: Some("strace"),
        optional: true,
    },
    Part {
        name: "parked",
        heading: "Memory of a call that waits, of 10,000",
        measure: parked::measure,
        needs: None,
        optional: false,
    },
    Part { name: "start", heading: "From start to first list", measure: start::measure, needs: None, optional: false },
    Part { name: "throughput", heading: "Throughput", measure: throughput::measure, needs: None, optional: false },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(&arguments) {
        Ok(broken) if broken.is_empty() => ExitCode::SUCCESS,
        Ok(broken) => {
            println!("Broken limits:\n  {}", broken.join("\n  "));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Measures what is asked for and gives back the limits that are broken, if they are to be checked.
fn run(arguments: &[String]) -> Result<Vec<String>> {
    conversation::check_replies()?;
    // `cargo bench` says `--bench`; `cargo test --all-targets` does not and wants to know whether it works.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return Ok(Vec::new());
    }
    let check = arguments.iter().any(|argument| argument == "--check");
    let wanted: Vec<&str> =
        arguments.iter().map(String::as_str).filter(|argument| !argument.starts_with('-')).collect();
    let mut broken = Vec::new();
    for part in PARTS.iter().filter(|part| wanted.is_empty() || wanted.contains(&part.name)) {
        match measure(part) {
            Ok(rows) => {
                println!("{}", Table(part.heading, &rows));
                broken.extend(rows.iter().filter_map(Row::broken));
            }
            Err(error) => {
                println!("{}: not measured: {error}\n", part.heading);
                if !part.optional {
                    broken.push(format!("{}: not measured", part.heading));
                }
            }
        }
    }
    Ok(if check { broken } else { Vec::new() })
}

fn measure(part: &Part) -> Result<Vec<Row>> {
    if let Some(program) = part.needs
        && Command::new(program).arg("--version").stdout(Stdio::null()).status().is_err()
    {
        return Err(format!("`{program}` is not installed; Debian: `apt-get install {program}`").into());
    }
    (part.measure)()
}
