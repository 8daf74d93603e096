//! The kinds of measurements, and the command-line options that select them.

use std::{
    env,
    process::{Command, ExitCode, Stdio},
};

use crate::{
    Result,
    report::{Row, Table},
};

/// One kind of measurement.
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) heading: &'static str,
    pub(crate) measure: fn() -> Result<Vec<Row>>,
    /// The program that the measurement needs, if any.
    pub(crate) needs: Option<&'static str>,
    /// Whether `--check` passes if the program is not installed or may not inspect other processes.
    pub(crate) optional: bool,
}

/// Checks the replies of the servers. Then runs the measurements that the command line names, or all of them.
pub(crate) fn main(parts: &[Part], check_replies: fn() -> Result<()>) -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(parts, check_replies, &arguments) {
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

/// Returns the limits that are not kept, if `--check` was given.
fn run(parts: &[Part], check_replies: fn() -> Result<()>, arguments: &[String]) -> Result<Vec<String>> {
    check_replies()?;
    // `cargo bench` says `--bench`; `cargo test --all-targets` does not and wants to know whether it works.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return Ok(Vec::new());
    }
    let check = arguments.iter().any(|argument| argument == "--check");
    let wanted: Vec<&str> =
        arguments.iter().map(String::as_str).filter(|argument| !argument.starts_with('-')).collect();
    let mut broken = Vec::new();
    for part in parts.iter().filter(|part| wanted.is_empty() || wanted.contains(&part.name)) {
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
