//! A client that keeps a fixed number of confirmations in flight.

use std::{
    fmt,
    io::{BufRead as _, BufReader, Write as _},
    process::Stdio,
    thread::sleep,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{Result, memory_of::memory_of, store::Place};

pub(crate) struct Load {
    pub(crate) tool: &'static str,
    pub(crate) in_flight: usize,
    pub(crate) time: Duration,
    /// The maximum number of calls that begin per second.
    pub(crate) rate: f64,
    /// How long the server remembers a finished call.
    pub(crate) retention: Duration,
}

pub(crate) struct Figures {
    pub(crate) confirmed: u64,
    /// The completed confirmations per second.
    pub(crate) rate: f64,
    /// The number of requests whose reply was neither the text nor the question, for example an error.
    pub(crate) refused: u64,
    /// The memory of the server, and the size of the store.
    pub(crate) server: Growth,
    pub(crate) store: Growth,
}

/// The size in bytes after twice the retention time, and the size at the end.
#[derive(Clone, Copy, Default)]
pub(crate) struct Growth {
    then: u64,
    end: u64,
}

/// The text that the tool returns.
const TEXT: &str = "the text";

impl Load {
    /// Loads a new server with this store.
    pub(crate) fn run(&self, place: &Place) -> Result<Figures> {
        let mut server = place.server().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(mut input), Some(output)) = (server.stdin.take(), server.stdout.take()) else {
            return Err("the server has no pipes".into());
        };
        let mut output = BufReader::with_capacity(1 << 16, output);
        let (mut requests, mut lines, mut line) = (Requests::new(self.tool), Vec::new(), String::new());
        (0..self.in_flight).for_each(|_| requests.push_first(&mut lines));
        let (mut confirmed, mut refused, mut begun) = (0, 0, 0.0);
        let (mut server_growth, mut store_growth) = (Growth::default(), Growth::default());
        let start = Instant::now();
        while start.elapsed() < self.time {
            input.write_all(&lines)?;
            lines.clear();
            // All replies that are there already.
            while lines.is_empty() || output.buffer().contains(&b'\n') {
                line.clear();
                if output.read_line(&mut line)? == 0 {
                    return Err(format!("the server ended: {}", server.wait()?).into());
                }
                let reply: Value = serde_json::from_str(&line)?;
                let result = &reply["result"];
                if let Some(state) = result["requestState"].as_str() {
                    requests.push_answer(state, &mut lines);
                    continue;
                }
                if result["content"][0]["text"] == TEXT {
                    confirmed += 1;
                } else {
                    refused += 1;
                    if refused == 1 {
                        eprintln!("the first that is refused: {}", line.trim_end());
                    }
                }
                begun += 1.0;
                sleep(Duration::from_secs_f64(begun / self.rate).saturating_sub(start.elapsed()));
                requests.push_first(&mut lines);
            }
            if server_growth.then == 0 && 2 * self.retention < start.elapsed() {
                (server_growth.then, store_growth.then) = (memory_of(server.id(), "VmRSS")?, place.size()?);
            }
        }
        let rate = f64::from(u32::try_from(confirmed)?) / start.elapsed().as_secs_f64();
        (server_growth.end, store_growth.end) = (memory_of(server.id(), "VmRSS")?, place.size()?);
        drop((input, output));
        server.kill()?;
        server.wait()?;
        Ok(Figures { confirmed, rate, refused, server: server_growth, store: store_growth })
    }
}

/// Makes the requests.
pub(crate) struct Requests {
    next: u64,
    params: Value,
}

impl Requests {
    pub(crate) fn new(tool: &str) -> Self {
        let params = json!({
            "name": tool,
            "arguments": { "text": TEXT },
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { "name": "bench-client", "version": "1.0.0" },
                "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
            },
        });
        Self { next: 0, params }
    }

    pub(crate) fn push_first(&mut self, to: &mut Vec<u8>) {
        self.push(&self.params.clone(), to);
    }

    pub(crate) fn push_answer(&mut self, state: &str, to: &mut Vec<u8>) {
        let mut params = self.params.clone();
        params["requestState"] = state.into();
        params["inputResponses"] = json!({ "sure": { "action": "accept", "content": { "sure": true } } });
        self.push(&params, to);
    }

    fn push(&mut self, params: &Value, to: &mut Vec<u8>) {
        self.next += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.next, "method": "tools/call", "params": params });
        to.extend(request.to_string().into_bytes());
        to.push(b'\n');
    }
}

impl Growth {
    /// Whether the growth is at most a quarter plus 4 MB. The quarter is for Redis, which can keep a quarter of the
    /// expired entries for a while.
    pub(crate) fn is_flat(self) -> bool {
        self.then == 0 || self.end <= self.then + self.then / 4 + (4 << 20)
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let megabytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        write!(f, "{:.1} MB, {:.1} MB", megabytes(self.then), megabytes(self.end))
    }
}
