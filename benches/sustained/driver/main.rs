//! Runs confirmations for a long time with each kind of ledger. The server must not reject a call, and its memory must
//! not grow after the first calls have expired.
//!
//! `cargo bench -p mcp-benches-sustained` loads a server with each ledger for 20 seconds; `-- memory redis` those named;
//! `-- shards` spreads confirmations over several Redis servers; `-- --seconds 1800` for longer; `-- --rate 1500` begins
//! so many calls a second, at most; `-- --check` fails where a limit is broken. See `benches/README.md`.

#![expect(clippy::print_stdout, reason = "a report is what standard output is for")]

#[path = "../../driver/bench.rs"]
mod bench;
mod client;
#[path = "../../driver/memory_of.rs"]
mod memory_of;
mod redis;
mod shards;
mod store;

use std::{process::ExitCode, time::Duration};

use self::{client::Load, store::Store};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// How many confirmations are in flight.
const IN_FLIGHT: usize = 64;
/// If the load lasts at least this long, the server remembers finished calls for 10 minutes, otherwise for 5 seconds.
const LONG: Duration = Duration::from_secs(25 * 60);

struct Options {
    ledgers: Vec<Store>,
    time: Duration,
    rate: f64,
    check: bool,
    /// Whether confirmations are spread over several Redis servers.
    shards: bool,
}

fn main() -> ExitCode {
    bench::main(|arguments| run(&Options::read(arguments)?))
}

impl Options {
    fn read(arguments: &[String]) -> Result<Self> {
        let mut options = Self {
            ledgers: Vec::new(),
            time: Duration::from_secs(20),
            rate: f64::INFINITY,
            check: false,
            shards: false,
        };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match &**argument {
                "--check" => options.check = true,
                "--seconds" => {
                    let seconds = arguments.next().ok_or("`--seconds` needs a number")?;
                    options.time = Duration::from_secs(seconds.parse()?);
                }
                "--rate" => options.rate = arguments.next().ok_or("`--rate` needs a number")?.parse()?,
                "shards" => options.shards = true,
                name => options.ledgers.push(Store::named(name)?),
            }
        }
        if options.ledgers.is_empty() && !options.shards {
            options.ledgers.extend(Store::ALL);
            options.shards = true;
        }
        Ok(options)
    }
}

/// Returns true if all limits are kept or `--check` was not given.
fn run(options: &Options) -> Result<bool> {
    let mut broken = Vec::new();
    if !options.ledgers.is_empty() {
        broken.extend(sustained(options)?);
    }
    if options.shards {
        broken.extend(shards::run()?);
    }
    broken.iter().for_each(|broken| eprintln!("{broken}"));
    Ok(!options.check || broken.is_empty())
}

/// Loads a server with each ledger. Returns a line for each broken limit.
fn sustained(options: &Options) -> Result<Vec<String>> {
    let (tool, retention) = if LONG <= options.time {
        ("confirm", Duration::from_secs(600))
    } else {
        ("confirm_soon", Duration::from_secs(5))
    };
    println!(
        "{IN_FLIGHT} confirmations in flight for {} s, each remembered for {} s after it is finished\n",
        options.time.as_secs(),
        retention.as_secs()
    );
    println!("| ledger | confirmations | a second | one at a time | refused | server, then | store, then | limit |");
    println!("|--------|--------------:|---------:|--------------:|--------:|-------------:|------------:|-------|");
    let mut broken = Vec::new();
    for ledger in &options.ledgers {
        // Others may be at work on the machine, so a load that broke a limit is tried again.
        for last in [false, false, true] {
            let limits = one_round(ledger, options, tool, retention)?;
            if last || limits.is_empty() {
                broken.extend(limits);
                break;
            }
        }
    }
    Ok(broken)
}

/// Loads a server and prints its figures on one line. Returns the limits that the server does not keep.
fn one_round(ledger: &Store, options: &Options, tool: &'static str, retention: Duration) -> Result<Vec<String>> {
    let place = ledger.open()?;
    let load = Load { tool, in_flight: IN_FLIGHT, time: options.time, rate: options.rate, retention };
    let alone = Load { in_flight: 1, time: Duration::from_secs(3), rate: f64::INFINITY, ..load }.run(&place)?;
    let load = load.run(&place)?;
    println!(
        "| {} | {} | {:.0} | {:.0} | {} | {} | {} | {} |",
        ledger.name(),
        load.confirmed,
        load.rate,
        alone.rate,
        alone.refused + load.refused,
        load.server,
        load.store,
        ledger.limit()
    );
    Ok(ledger.broken_by(&alone, &load))
}
