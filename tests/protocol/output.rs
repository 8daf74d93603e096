//! A process writes only whole messages to standard output, and not more than its client reads.

use std::{
    os::{fd::OwnedFd, unix::net::UnixDatagram},
    process::Stdio,
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
    time::timeout,
};

use crate::protocol::wire::{PATIENCE, PROBE};

/// A client that reads when a test says so.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    /// The lines of standard error, which a task reads continuously.
    errors: UnboundedReceiver<String>,
}

fn request(id: u32, method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string() + "\n"
}

fn call(id: u32, tool: &str, arguments: Value) -> String {
    request(id, "tools/call", &json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": id } }))
}

fn cancel(id: u32) -> String {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }).to_string() + "\n"
}

fn handshake() -> [String; 2] {
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "slow", "version": "1" },
    });
    [
        request(0, "initialize", &params),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string() + "\n",
    ]
}

fn probe(mode: &str) -> Command {
    let mut command = Command::new(PROBE);
    command.arg(mode).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    command
}

impl Client {
    async fn open(mode: &str) -> Self {
        let mut child = probe(mode).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let (sender, errors) = unbounded_channel();
        tokio::spawn(async move {
            while let Some(line) = lines.next_line().await.unwrap() {
                drop(sender.send(line));
            }
        });
        let mut client = Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()).lines(),
            errors,
            child,
        };
        for message in handshake() {
            client.send(&message).await;
        }
        client.next().await;
        client
    }

    async fn send(&mut self, text: &str) {
        assert!(self.try_send(text, PATIENCE).await, "the server does not read");
    }

    /// Sends a text. Returns whether the server reads it in time.
    async fn try_send(&mut self, text: &str, time: Duration) -> bool {
        let input = self.input.as_mut().unwrap();
        timeout(time, input.write_all(text.as_bytes())).await.is_ok_and(|written| written.is_ok())
    }

    async fn next(&mut self) -> Value {
        let line = timeout(PATIENCE, self.output.next_line()).await.expect("the server says nothing").unwrap();
        let line = line.expect("the server is there");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("not a message: {line}: {error}"))
    }

    /// Returns the response to this request, and the messages before it.
    async fn response(&mut self, id: u32) -> (Value, Vec<Value>) {
        let mut before = Vec::new();
        loop {
            let message = self.next().await;
            if message["id"] == id {
                return (message, before);
            }
            before.push(message);
        }
    }

    /// Closes standard input, reads the remaining output, and returns the text of standard error.
    async fn close(mut self) -> String {
        drop(self.input.take());
        while timeout(PATIENCE, self.output.next_line()).await.expect("the server ends").unwrap().is_some() {}
        assert!(timeout(PATIENCE, self.child.wait()).await.expect("the server ends").unwrap().success());
        self.said().await
    }

    /// Returns the remaining text of standard error, which is closed.
    async fn said(&mut self) -> String {
        let mut text = String::new();
        while let Some(line) = self.errors.recv().await {
            text += &(line + "\n");
        }
        text
    }

    /// Makes a tool write this many log messages and reads none of them. Then the server cannot write all of them.
    async fn flood(&mut self, messages: usize) {
        self.send(&call(1, "flood", json!({ "messages": messages }))).await;
        let line = timeout(PATIENCE, self.errors.recv()).await.expect("the call ends").unwrap();
        assert_eq!(line, "flooded");
    }

    /// Returns the peak memory of the server in MB, if the system reports it.
    fn peak_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()?)).ok()?;
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(peak.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024)
    }

    fn holds_little(&self) {
        if let Some(peak) = self.peak_memory() {
            assert!(peak < 40, "the server holds {peak} MB");
        }
    }
}

fn is_log(message: &Value) -> bool {
    message["method"] == "notifications/message"
}

/// Returns the number at the beginning of a text, and the rest of the text.
fn count(text: &str) -> (usize, &str) {
    let (number, rest) = text.split_once(' ').unwrap();
    (number.parse().unwrap_or_else(|_| panic!("no number: {text}")), rest)
}

#[tokio::test(flavor = "multi_thread")]
async fn drops_and_counts_unread_log_messages() {
    const MESSAGES: usize = 40_000;
    let mut client = Client::open("output").await;
    client.flood(MESSAGES).await;
    client.holds_little();

    // The client reads again: the remaining messages, a line about each gap, and the result, which is never dropped.
    let (response, before) = client.response(1).await;
    assert_eq!(response["result"]["content"][0]["text"], MESSAGES.to_string());
    let (notices, logs): (Vec<_>, Vec<_>) =
        before.iter().filter(|message| is_log(message)).partition(|message| message["params"]["logger"] != "flood");
    assert!(!notices.is_empty() && logs.len() < MESSAGES, "{} messages were read", logs.len());
    let mut dropped = 0;
    for notice in notices {
        // No client gets a level that it has not asked for.
        assert_eq!(notice["params"]["level"], "error");
        let (number, rest) = count(notice["params"]["data"].as_str().unwrap());
        assert_eq!(rest, "log messages and progress notifications were dropped here: the client did not read them");
        dropped += number;
    }
    let progress = before.iter().filter(|message| message["method"] == "notifications/progress").count();
    // Progress is sent 20 times a second at most.
    let all = logs.len() + progress + dropped;
    assert!((MESSAGES..MESSAGES + 2000).contains(&all), "{all} of {MESSAGES}, of which {dropped} were dropped");

    let errors = client.close().await;
    let told: Vec<(usize, &str)> = errors.lines().map(count).collect();
    assert_eq!(told.iter().map(|(number, _)| number).sum::<usize>(), dropped, "{errors}");
    assert!(told.len() <= 2, "{errors}");
    assert!(told.iter().all(|(_, rest)| rest.contains("the client does not read standard output")), "{errors}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_reads_gets_every_log_message() {
    let mut client = Client::open("output").await;
    client.send(&call(1, "flood", json!({ "messages": 500 }))).await;
    let (_, before) = client.response(1).await;
    assert_eq!(before.iter().filter(|message| is_log(message)).count(), 500);
    assert_eq!(client.close().await, "flooded\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn stops_reading_while_the_output_is_full() {
    const LISTS: u32 = 200_000;
    let mut client = Client::open("output").await;
    client.flood(500).await;
    let mut sent = 0;
    while sent < LISTS {
        let lists: String = (sent..sent + 100).map(|id| request(id + 10, "tools/list", &json!({}))).collect();
        if !client.try_send(&lists, Duration::from_secs(1)).await {
            break;
        }
        sent += 100;
    }
    assert!(sent < LISTS, "the server read {sent} requests whose answers nobody reads");
    client.holds_little();

    // All of them are answered, in their order, and the connection works: but for the line that was cut off.
    for id in 0..sent {
        let (_, before) = client.response(id + 10).await;
        assert!(before.iter().all(|message| message.get("id").is_none_or(|id| id == 1)), "{before:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn results_are_never_dropped() {
    let mut client = Client::open("output").await;
    for id in 2..52 {
        client.send(&call(id, "nap", json!({ "milliseconds": 300 }))).await;
    }
    client.flood(5000).await;
    // Log messages alone do not keep the server from reading.
    for id in 52..72 {
        client.send(&call(id, "echo", json!({ "text": "y".repeat(50_000) }))).await;
    }
    let mut missing: Vec<u64> = (1..72).collect();
    while !missing.is_empty() {
        let message = client.next().await;
        missing.retain(|id| message["id"] != *id);
    }
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_logs_without_end_can_be_cancelled() {
    let mut client = Client::open("output").await;
    client.send(&call(1, "flood", json!({ "messages": u32::MAX }))).await;
    for _ in 0..1000 {
        client.next().await;
    }
    // The client reads all the time: neither message may wait for the end of the call.
    client.send(&(cancel(1) + &request(2, "ping", &json!({})))).await;
    client.response(2).await;
    client.send(&request(3, "ping", &json!({}))).await;
    let (_, before) = client.response(3).await;
    assert!(before.len() < 20_000, "{} messages of a call that was cancelled", before.len());
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_ends_after_its_grace_when_its_client_does_not_read() {
    // Once while the server still reads, once while it waits for its client to read.
    for calls in [20, 1000] {
        let mut client = Client::open("output").await;
        client.flood(500).await;
        for id in 2..calls {
            let echo = call(id, "echo", json!({ "text": "y".repeat(50_000) }));
            // All of the 20 are read, however slow the server is.
            let time = if calls == 20 { PATIENCE } else { Duration::from_secs(1) };
            if !client.try_send(&echo, time).await {
                assert_eq!(calls, 1000, "the server does not read");
                break;
            }
        }
        drop(client.input.take());
        let status = timeout(PATIENCE, client.child.wait()).await.expect("the server ends").unwrap();
        assert!(!status.success());
        let errors = client.said().await;
        assert!(errors.contains("did not read standard output for 500ms"), "{errors}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn printed_lines_go_to_standard_error() {
    let mut client = Client::open("output").await;
    for (id, tool) in (1..).zip(["print", "print_in_dependency", "print_in_child", "print"]) {
        client.send(&call(id, tool, json!({ "text": format!("from {tool}") }))).await;
        let (response, before) = client.response(id).await;
        assert!(before.is_empty(), "{before:?}");
        assert!(response["result"].get("isError").is_none(), "{response}");
    }
    let errors = client.close().await;
    for tool in ["print", "print_in_dependency", "print_in_child"] {
        assert!(errors.contains(&format!("from {tool}\n")), "{errors}");
    }
    // What was not a whole line yet stays out of the protocol to the end of the process.
    assert_eq!(errors.matches("and half a line").count(), 2, "{errors}");
}

#[tokio::test(flavor = "multi_thread")]
async fn does_not_redirect_standard_output_if_disabled() {
    let mut client = Client::open("output-shared").await;
    client.send(&call(1, "print_in_child", json!({ "text": "{\"from\":\"child\"}" }))).await;
    let (_, before) = client.response(1).await;
    assert_eq!(before, [json!({ "from": "child" })]);
    assert_eq!(client.close().await, "");
}

/// A process whose output is a datagram socket, so that the test reads each write separately.
#[tokio::test(flavor = "multi_thread")]
async fn writes_progress_before_the_result_and_batches_replies() {
    let (ours, theirs) = UnixDatagram::pair().unwrap();
    ours.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut child = probe("output").stdout(OwnedFd::from(theirs)).stderr(Stdio::null()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    // Writes until every one of these requests is answered.
    let written = move |last: &[u32]| {
        let mut last = last.to_vec();
        let mut writes: Vec<Vec<Value>> = Vec::new();
        let mut buffer = vec![0; 1 << 20];
        while !last.is_empty() {
            let length = ours.recv(&mut buffer).expect("the server writes");
            let text = str::from_utf8(&buffer[..length]).unwrap();
            assert!(text.ends_with('\n'), "a part of a message: {text}");
            writes.push(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect());
            last.retain(|id| writes.iter().flatten().all(|message| message["id"] != *id));
        }
        writes
    };
    input.write_all(handshake().concat().as_bytes()).await.unwrap();
    written(&[0]);

    for id in (2..200).step_by(2) {
        let calls = [
            call(id, "hurry", json!({})),
            call(id + 1, "report", json!({ "values": [0.1, 1.0], "total": 1.0, "pause": id % 3 })),
        ];
        for call in calls {
            input.write_all(call.as_bytes()).await.unwrap();
        }
        for messages in written(&[id, id + 1]) {
            let progress = messages.iter().position(|message| message["method"] == "notifications/progress");
            let response = messages.iter().rposition(|message| message.get("id").is_some());
            assert!(response <= progress || progress.is_none(), "a result behind progress in one write: {messages:?}");
        }
    }

    // Replies to what was read together, behind nothing else, leave together: unless they would wait for more than two
    // milliseconds, as can happen on a busy machine.
    let mut writes = Vec::new();
    for first in (1000..2000).step_by(10) {
        let pings: String = (first..first + 10).map(|id| request(id, "ping", &json!({}))).collect();
        input.write_all(pings.as_bytes()).await.unwrap();
        writes = written(&(first..first + 10).collect::<Vec<_>>());
        if writes.len() == 1 {
            break;
        }
    }
    assert_eq!(writes.len(), 1, "{writes:?}");
    drop(input);
    assert!(timeout(PATIENCE, child.wait()).await.expect("the server ends").unwrap().success());
}
