//! The kinds of measurements, and what the command line wants of them.

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
    /// A program it needs.
    pub(crate) needs: Option<&'static str>,
    /// Whether `--check` is content where the program is missing or not allowed to look at another.
    pub(crate) optional: bool,
}

/// Measures what the command line names, or everything, once the replies have been checked.
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

/// Gives back the limits that are broken, if they are to be checked.
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
