//! Runs that are stopped in the middle: their server is killed and started again with the same file of runs, or their
//! owner cancels them.

use std::{
    fmt::Write as _,
    fs,
    io::{BufRead as _, BufReader, Lines, Write as _},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use mcp_runtime::testing::Client;
use pipelines::Replace;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{data, input, program, report, stored};

/// A server process on its standard input and output.
struct Killable {
    process: Child,
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    requests: u64,
}

impl Killable {
    fn start(mut command: Command) -> Self {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (stdin, stdout) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        Self { process, stdin, lines: BufReader::new(stdout).lines(), requests: 0 }
    }

    /// Runs an action, and returns its result.
    fn call(&mut self, action: &str, params: Value) -> Value {
        self.requests += 1;
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
        });
        let params = json!({ "name": "pipelines", "arguments": input(action, params), "_meta": meta });
        let request = json!({ "jsonrpc": "2.0", "id": self.requests, "method": "tools/call", "params": params });
        writeln!(self.stdin, "{request}").unwrap();
        let answers = self.lines.by_ref().map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
        let mut answers = answers.filter(|answer| answer["id"] == self.requests);
        let answer = answers.next().unwrap();
        let content = &answer["result"]["structuredContent"];
        assert!(content["result"].is_object(), "{answer}");
        content["result"].clone()
    }

    /// Waits until the run is as wanted.
    fn until(&mut self, run_id: &Value, wanted: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            let run = self.call("status", json!({ "run_id": run_id, "include_trace": true }));
            if wanted(&run) {
                return run;
            }
            assert!(Instant::now() < deadline, "{run}");
            sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Killable {
    /// Sends SIGKILL.
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

fn has_read(run: &Value) -> bool {
    run["trace"].as_array().unwrap().iter().any(|entry| entry["data"]["kind"] == "read")
}

/// Adds orders that take a while to read.
fn add_orders(data: &TempDir, rows: u32) {
    let mut text = "order,customer,product,quantity,amount,day\n".to_owned();
    for row in 0..rows {
        writeln!(text, "{},C-00{},kettle,1,0.5,2026-04-01", 5000 + row, row % 6 + 1).unwrap();
    }
    fs::write(data.path().join("orders/2026-04.csv"), text).unwrap();
}

#[test]
fn a_run_of_a_killed_server_is_interrupted_and_restart_completes_it() {
    let mut tries = 0..10;
    let (data, started) = loop {
        assert!(tries.next().is_some(), "the run always ends before the kill");
        let data = data();
        add_orders(&data, 100_000);
        let mut first = Killable::start(stored(&data));
        let inputs = json!({ "minimum": 0.25, "report": "json" });
        let started = first.call("run", json!({ "name": "revenue_by_region", "inputs": inputs }));
        assert_eq!(started["status"], "working");
        let working = first.until(&started["run_id"], has_read);
        drop(first);
        // A test that was kept from running kills too late.
        if working["status"] == "working" && !data.path().join("reports/revenue_by_region.json").exists() {
            break (data, started);
        }
    };
    let run_id = started["run_id"].clone();
    let mut second = Killable::start(stored(&data));
    let interrupted = second.until(&run_id, |run| run["status"] != "working");
    assert_eq!(interrupted["status"], "interrupted");
    assert!(interrupted["next"].as_str().unwrap().contains(r#""action":"restart""#), "{interrupted}");
    let again = second.call("restart", json!({ "run_id": run_id, "wait": true }));
    assert_eq!(again["status"], "completed", "{again}");
    assert_eq!(again["restarted_from"], run_id);
    assert_eq!(again["resolved_inputs"], started["resolved_inputs"]);
    // The rows were read once more, and not twice.
    let orders: u64 =
        again["outputs"]["first_rows"].as_array().unwrap().iter().filter_map(|row| row["orders"].as_u64()).sum();
    assert_eq!(orders, 100_000 + 17);
    let written: Vec<Value> = serde_json::from_str(&report(&data, "revenue_by_region.json")).unwrap();
    assert_eq!(Value::from(written), again["outputs"]["first_rows"]);
    let runs = second.call("runs", json!({}))["runs"].clone();
    // Other tests can share the store.
    let own = |run: &&Value| run["run_id"] == run_id || run["run_id"] == again["run_id"];
    let statuses: Vec<_> = runs.as_array().unwrap().iter().filter(own).map(|run| &run["status"]).collect();
    assert_eq!(statuses, ["completed", "interrupted"]);
}

#[tokio::test]
async fn a_run_that_asked_when_its_server_was_killed_asks_again_after_restart() {
    let data = data();
    let run = json!({ "name": "top_customers", "wait": true });
    let mut first = Killable::start(stored(&data));
    assert_eq!(first.call("run", run)["status"], "completed");
    let asking = first.call("run", json!({ "name": "top_customers", "inputs": { "count": 1 } }));
    let run_id = asking["run_id"].clone();
    first.until(&run_id, |run| run["status"] == "input_required");
    drop(first);

    let mut second = Killable::start(stored(&data));
    // Whether the first one had stored the question before it was killed is a race.
    let interrupted = second.until(&run_id, |run| run["status"] != "input_required" && run["status"] != "working");
    assert_eq!(interrupted["status"], "interrupted");
    assert!(interrupted.get("questions").is_none(), "the questions are closed: {interrupted}");
    drop(second);
    // A look at the run of another process takes up to two heartbeats.
    let mut client = Client::process(stored(&data)).limit(Duration::from_secs(60));
    let restart = input("restart", json!({ "run_id": run_id, "wait": true }));
    let again = client.call("pipelines", restart).accept(Replace { replace: true }).await;
    assert_eq!(again.structured_content().unwrap()["result"]["status"], "completed");
    assert_eq!(report(&data, "top_customers.csv").lines().count(), 2);
}

#[tokio::test]
async fn two_processes_share_their_runs() {
    let data = data();
    add_orders(&data, 20_000);
    let (mut first, mut second) = (Killable::start(stored(&data)), Killable::start(stored(&data)));
    let run_id = first.call("run", json!({ "name": "top_customers" }))["run_id"].clone();
    let waited = second.call("status", json!({ "run_id": run_id, "wait": true }));
    assert_eq!((&waited["status"], &waited["outputs"]["rows"]), (&json!("completed"), &json!(3)), "{waited}");
    let asking = first.call("run", json!({ "name": "top_customers" }))["run_id"].clone();
    first.until(&asking, |run| run["status"] == "input_required");
    // Another process asks for the one that runs it. A look at the run takes up to two heartbeats.
    let mut client = Client::process(stored(&data)).limit(Duration::from_secs(60));
    let wait = input("status", json!({ "run_id": asking, "wait": true }));
    let ended = client.call("pipelines", wait).accept(Replace { replace: true }).await;
    assert_eq!(ended.structured_content().unwrap()["result"]["status"], "completed");
    let asking = first.call("run", json!({ "name": "top_customers" }))["run_id"].clone();
    first.until(&asking, |run| run["status"] == "input_required");
    assert_eq!(second.call("cancel", json!({ "run_id": asking }))["status"], "cancelled");
    first.until(&asking, |run| run["status"] == "cancelled");
}

#[test]
fn a_cancelled_run_writes_no_report() {
    let mut tries = 0..10;
    let (data, mut server, run_id) = loop {
        assert!(tries.next().is_some(), "the run always ends before it is cancelled");
        let data = data();
        add_orders(&data, 100_000);
        let mut server = Killable::start(stored(&data));
        let run_id = server.call("run", json!({ "name": "revenue_by_region" }))["run_id"].clone();
        server.until(&run_id, has_read);
        let cancelled = server.call("cancel", json!({ "run_id": run_id }));
        // A test that was kept from running cancels too late.
        if cancelled["status"] != "completed" {
            assert_eq!(cancelled["status"], "cancelled");
            break (data, server, run_id);
        }
    };
    // Longer than the run takes: a run after it ends before that.
    let next = server.call("run", json!({ "name": "revenue_by_region", "inputs": { "report": "json" }, "wait": true }));
    assert_eq!(next["status"], "completed");
    assert!(!data.path().join("reports/revenue_by_region.csv").exists());
    assert_eq!(server.call("status", json!({ "run_id": run_id }))["status"], "cancelled");
}

#[test]
fn names_a_file_of_runs_that_cannot_be_opened() {
    let ended = program(&data()).args(["--store", "/nowhere/at/all/runs.sqlite", "tools"]).output().unwrap();
    assert_eq!(ended.status.code(), Some(2));
    let text = String::from_utf8(ended.stderr).unwrap();
    assert!(text.starts_with("error: the runs cannot be stored (`--store`, `PIPELINES_STORE`): "), "{text}");
    assert!(text.contains("/nowhere/at/all/runs.sqlite"), "{text}");
}
