//! Counts the instructions of the methods of a contract: as tools, compared with a tool of the same types, and over
//! REST, compared with a bare handler of axum.
//!
//! `cargo bench -p mcp-benches-http --bench contract` prints the table; `-- --check` fails where a limit is exceeded. Needs
//! valgrind.

#![expect(clippy::print_stdout, reason = "a report is what standard output is for")]

#[path = "../../driver/bench.rs"]
mod bench;
#[path = "../../driver/callgrind.rs"]
mod callgrind;
mod rest;
mod tools;

use std::process::ExitCode;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The calls of the longer run that the shorter run does not have.
const CALLS: u32 = 1_000;

/// A text of 100 bytes.
const TEXT: &str =
    "The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog, and sleeps";

struct Row {
    name: &'static str,
    /// The instructions of a call of what the contract is compared with.
    base: f64,
    contract: f64,
    /// The largest allowed ratio.
    limit: f64,
}

fn main() -> ExitCode {
    bench::main(|arguments| Ok(report(&measure()?) || !arguments.iter().any(|argument| argument == "--check")))
}

fn measure() -> Result<Vec<Row>> {
    let tool = |era| -> Result<[f64; 2]> {
        Ok([tools::per_call("echo_create", era)?, tools::per_call("echoes_create", era)?])
    };
    let rest = |name, exchange, limit| -> Result<Row> {
        let [base, contract] = [rest::per_call("axum", exchange)?, rest::per_call("contract", exchange)?];
        Ok(Row { name, base, contract, limit })
    };
    let [modern, modern_contract] = tool(tools::Era::Modern)?;
    let [legacy, legacy_contract] = tool(tools::Era::Legacy)?;
    Ok(vec![
        Row { name: "tool, 2026-07-28", base: modern, contract: modern_contract, limit: 1.1 },
        Row { name: "tool, 2025-11-25", base: legacy, contract: legacy_contract, limit: 1.1 },
        rest("REST, `POST`, bare axum", rest::Exchange::Post, 1.14)?,
        rest("REST, `GET`, bare axum", rest::Exchange::Get, 1.39)?,
        rest("JSON-RPC, bare axum", rest::Exchange::Rpc, 1.05)?,
    ])
}

/// Prints the rows. Returns whether all limits are kept.
fn report(rows: &[Row]) -> bool {
    println!("| instructions of an echo of 100 B | base | contract | ratio | limit |");
    println!("| --- | --: | --: | --: | --: |");
    for Row { name, base, contract, limit } in rows {
        println!("| {name} | {base:.0} | {contract:.0} | {:.2} | {limit:.2} |", contract / base);
    }
    rows.iter().all(|row| row.contract <= row.limit * row.base)
}
