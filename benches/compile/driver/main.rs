//! Measures the processor time that a tool takes to compile, and the bytes that the tool adds to the program.
//!
//! `cargo bench -p mcp-benches-compile` compares `mcp-runtime` with the least possible; `-- release` measures release
//! builds too, `-- rmcp` takes `rmcp` in. See `benches/README.md`.

#![expect(clippy::print_stdout, reason = "a report is what standard output is for")]

#[path = "../../driver/bench.rs"]
mod bench;
mod contestant;
mod measure;
mod report;
mod workspace;

use std::process::ExitCode;

use self::{
    contestant::{LEAST, OURS, RMCP},
    measure::Profile,
    report::Table,
    workspace::Workspace,
};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    bench::main(run)
}

/// Returns `false` if limits are exceeded and `--check` was given.
fn run(arguments: &[String]) -> Result<bool> {
    let (mut check, mut profiles, mut contestants) = (false, vec![Profile::Dev], vec![LEAST, OURS]);
    for argument in arguments {
        match argument.as_str() {
            "--check" => check = true,
            "release" => profiles.push(Profile::Release),
            "rmcp" => contestants.push(RMCP),
            other => {
                return Err(format!("unknown argument `{other}`; `release`, `rmcp` and `--check` are known").into());
            }
        }
    }
    let workspace = Workspace::write(&contestants)?;
    let mut broken = Vec::new();
    for profile in profiles {
        let rows = measure::profile(&workspace, &contestants, profile)?;
        println!("{}", Table { heading: profile.name(), contestants: &contestants, rows: &rows });
        broken.extend(rows.iter().filter_map(|row| row.broken()));
    }
    if check && !broken.is_empty() {
        println!("Broken limits:\n  {}", broken.join("\n  "));
        return Ok(false);
    }
    Ok(true)
}
