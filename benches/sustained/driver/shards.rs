//! Spreads confirmations over several Redis servers: the share of each, what a confirmation costs, and what a Redis that
//! stops means for the calls.

use std::{
    env, fs,
    io::{BufRead as _, BufReader, Write as _},
    process::{self, Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::Value;

use crate::{Result, client::Requests, redis::Redis};

const CONFIRMATIONS: u32 = 4000;
/// How many confirmations are in flight.
const BATCH: u32 = 64;
/// How many calls wait for their answer when a Redis stops.
const WAITING: u32 = 400;
/// The most commands that Redis runs for a confirmation, with those of the functions.
const COMMANDS: f64 = 19.5;
/// How far the share of one Redis may be from an even share, as a fraction of the even share.
const UNEVEN: f64 = 0.05;

/// Prints a line for each number of Redis servers. Returns a line for each broken limit.
pub(crate) fn run() -> Result<Vec<String>> {
    println!("\n{CONFIRMATIONS} confirmations spread over Redis servers, then one of the servers stops\n");
    println!(
        "| stores | shares | commands each | µs of Redis each | calls of the stopped | ended | others | new calls |"
    );
    println!(
        "|-------:|-------:|--------------:|-----------------:|---------------------:|------:|-------:|----------:|"
    );
    let mut broken = Vec::new();
    for count in [1, 2, 4] {
        broken.extend(line(count)?);
    }
    Ok(broken)
}

fn line(count: u32) -> Result<Vec<String>> {
    let stores = (0..count).map(|number| {
        let directory = env::temp_dir().join(format!("mcp-shards-{}-{count}-{number}", process::id()));
        fs::create_dir_all(&directory)?;
        Redis::start(directory)
    });
    let mut stores = stores.collect::<Result<Vec<_>>>()?;
    let urls: Vec<_> = stores.iter().map(Redis::url).collect();
    let mut server = Server::start(&urls.join(" "))?;
    stores.iter().try_for_each(|store| store.command("CONFIG RESETSTAT").map(drop))?;
    let confirmed = server.confirm(CONFIRMATIONS)?;
    let stats = stores.iter().map(Redis::commands).collect::<Result<Vec<_>>>()?;
    let each = |number: f64| number / f64::from(CONFIRMATIONS);
    let shares: Vec<f64> = stats.iter().map(|stats| each(stats.functions) / 2.0).collect();
    let commands = each(stats.iter().map(|stats| stats.commands).sum());
    let time = each(stats.iter().map(|stats| stats.micros).sum());
    print!("| {count} | {} | {commands:.1} | {time:.1} |", percent(&shares));
    let uneven = shares.iter().map(|share| (share * f64::from(count) - 1.0).abs()).fold(0.0, f64::max);
    let mut limits = vec![
        (confirmed == CONFIRMATIONS, "not every call is confirmed"),
        (commands <= COMMANDS, "a confirmation takes too many commands"),
        (uneven <= UNEVEN, "a store has too large or too small a share"),
    ];
    if count == 1 {
        println!(" – | – | – | – |");
    } else {
        let states = server.begin(WAITING)?;
        drop(stores.pop());
        let others = server.answer(&states)?;
        let ended = WAITING - others;
        let new = server.confirm(WAITING)?;
        println!(" {:.0} | {ended} | {others} | {new} |", f64::from(WAITING) / f64::from(count));
        let fair = f64::from(WAITING) / f64::from(count);
        limits.push(((f64::from(ended) - fair).abs() <= fair * UNEVEN, "a stopped store ends the calls of others"));
        limits.push((new == WAITING, "new calls fail because a store has stopped"));
    }
    Ok(limits.into_iter().filter(|(kept, _)| !kept).map(|(_, words)| format!("{count} stores: {words}")).collect())
}

fn percent(shares: &[f64]) -> String {
    shares.iter().map(|share| format!("{:.1} %", share * 100.0)).collect::<Vec<_>>().join(", ")
}

/// A server whose calls are spread over stores.
struct Server {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: Requests,
}

impl Server {
    fn start(urls: &str) -> Result<Self> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sustained"));
        let mut process = command.args(["stores", urls]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("the server has no pipes".into());
        };
        Ok(Self { process, input, output: BufReader::new(output), requests: Requests::new("confirm") })
    }

    /// Begins and answers this many calls. Returns how many are confirmed.
    fn confirm(&mut self, calls: u32) -> Result<u32> {
        let mut confirmed = 0;
        for first in (0..calls).step_by(BATCH as usize) {
            let states = self.begin(BATCH.min(calls - first))?;
            confirmed += self.answer(&states)?;
        }
        Ok(confirmed)
    }

    /// Begins this many calls, and returns their states.
    fn begin(&mut self, calls: u32) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        (0..calls).for_each(|_| self.requests.push_first(&mut lines));
        let replies = self.exchange(&lines, calls)?;
        let states = replies.iter().map(|reply| reply["result"]["requestState"].as_str().map(str::to_owned));
        states.collect::<Option<_>>().ok_or_else(|| "a call did not begin".into())
    }

    /// Answers these calls. Returns how many are confirmed.
    fn answer(&mut self, states: &[String]) -> Result<u32> {
        let mut lines = Vec::new();
        states.iter().for_each(|state| self.requests.push_answer(state, &mut lines));
        let replies = self.exchange(&lines, u32::try_from(states.len())?)?;
        let confirmed = replies.iter().filter(|reply| reply["result"]["content"].is_array());
        Ok(u32::try_from(confirmed.count())?)
    }

    fn exchange(&mut self, lines: &[u8], replies: u32) -> Result<Vec<Value>> {
        self.input.write_all(lines)?;
        let mut line = String::new();
        let mut read = || {
            line.clear();
            self.output.read_line(&mut line)?;
            Ok(serde_json::from_str(&line)?)
        };
        (0..replies).map(|_| read()).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}
