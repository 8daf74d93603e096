//! Measures a tool that works for its result: each call reads and changes a cart in Redis and asks an HTTP service for a
//! price. 50 users call it over HTTP, each in a session of 2025-11-25, which all SDKs know. Then what no other SDK has:
//! calls that ask the user and are resumed by another process.
//!
//! `cargo bench -p mcp-benches-shop` measures all servers; `-- mcp-runtime rmcp` those named; `-- --seconds 60` for
//! longer; `-- --inspector` also with the load generator of the official Inspector; `-- --check` fails where a limit is
//! broken. See `benches/README.md`.

#![expect(clippy::print_stdout, reason = "a report is what standard output is for")]

#[path = "../../driver/bench.rs"]
mod bench;
#[path = "../../driver/free_address.rs"]
mod free_address;
mod inspector;
#[path = "../../driver/memory_of.rs"]
mod memory_of;
mod orders;
mod prices;
#[path = "../../driver/processor_time.rs"]
mod processor_time;
#[path = "../../driver/processors.rs"]
mod processors;
#[expect(dead_code, reason = "another package uses the rest")]
#[path = "../../sustained/driver/redis.rs"]
mod redis;
#[expect(dead_code, reason = "another package uses the rest")]
#[path = "../../http/driver/response.rs"]
mod response;
mod server;
mod user;
mod users;

use std::{env, fs, process::ExitCode, time::Duration};

use self::{prices::Prices, redis::Redis, server::Sdk, users::Speed};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// The minimum calls per second, as a multiple of those of `rmcp`.
const TIMES_RMCP: f64 = 1.0;

struct Options {
    sdks: Vec<Sdk>,
    time: Duration,
    inspector: bool,
    check: bool,
}

/// What all servers use.
struct Services {
    redis: Redis,
    prices: Prices,
}

fn main() -> ExitCode {
    bench::main(|arguments| run(&Options::read(arguments)?))
}

impl Options {
    fn read(arguments: &[String]) -> Result<Self> {
        let mut options = Self { sdks: Vec::new(), time: Duration::from_secs(10), inspector: false, check: false };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match &**argument {
                "--check" => options.check = true,
                "--inspector" => options.inspector = true,
                "--seconds" => {
                    let seconds = arguments.next().ok_or("`--seconds` needs a number")?;
                    options.time = Duration::from_secs(seconds.parse()?);
                }
                name => options.sdks.push(Sdk::named(name)?),
            }
        }
        if options.sdks.is_empty() {
            options.sdks.extend(Sdk::ALL);
        }
        Ok(options)
    }
}

/// Returns true if all limits are kept or `--check` was not given.
fn run(options: &Options) -> Result<bool> {
    // Before anything else starts: Redis, the prices and the users get the second processor, and the servers the first.
    let wrapper = processors::share();
    let directory = env::temp_dir().join(format!("shop-{}", std::process::id()));
    fs::create_dir_all(&directory)?;
    let redis = Redis::start(directory)?;
    let services = Services { redis, prices: Prices::start()? };
    println!("{} users for {} s, calls that use Redis and an HTTP service\n", users::USERS, options.time.as_secs());
    println!(
        "| server | calls per second | half within | 99 of 100 within | processor time of each | memory | failed |"
    );
    println!(
        "|--------|-----------------:|------------:|-----------------:|-----------------------:|-------:|-------:|"
    );
    let mut speeds = Vec::new();
    for sdk in &options.sdks {
        match sdk.command(&services, wrapper) {
            Ok(command) => {
                let speed =
                    users::measure(&command, options.time).map_err(|error| format!("{}: {error}", sdk.name()))?;
                println!("| {} | {speed} |", sdk.name());
                if options.inspector {
                    let (per_second, failed) = inspector::measure(&command, options.time)?;
                    println!("| the same by the Inspector | {per_second:.0} | | | | | {failed} |");
                }
                speeds.push((*sdk, speed));
            }
            Err(reason) => println!("| {} | skipped: {reason} |", sdk.name()),
        }
    }
    let mut broken = broken_by(&speeds);
    println!();
    if options.sdks.contains(&Sdk::Ours) {
        broken.extend(orders::measure(&services, wrapper, options.time)?);
    }
    broken.iter().for_each(|broken| eprintln!("{broken}"));
    Ok(!options.check || broken.is_empty())
}

fn broken_by(speeds: &[(Sdk, Speed)]) -> Vec<String> {
    let of = |wanted| speeds.iter().find(|(sdk, _)| *sdk == wanted).map(|(_, speed)| speed);
    let mut broken: Vec<_> = of(Sdk::Ours)
        .filter(|speed| speed.failed > 0)
        .map(|speed| format!("{} calls of mcp-runtime failed", speed.failed))
        .into_iter()
        .collect();
    if let (Some(ours), Some(rmcp)) = (of(Sdk::Ours), of(Sdk::Rmcp))
        && ours.calls_per_second < TIMES_RMCP * rmcp.calls_per_second
    {
        broken.push(format!("mcp-runtime: {:.2} × rmcp", ours.calls_per_second / rmcp.calls_per_second));
    }
    broken
}
