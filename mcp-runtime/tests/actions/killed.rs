//! Processes that are killed or stall, and others that show and restart their runs.

use std::{
    env,
    io::{BufRead as _, BufReader, Write as _, stdin, stdout},
    process::{Child, ChildStdin, Command, Stdio},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use mcp_runtime::{actions::Actions, runs::Runs};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::actions::jobs::{call, jobs_with};
use crate::support::stores::{Store, open_at};

/// The environment variable with the address of the store.
const STORE: &str = "MCP_TEST_STORE";
const HEARTBEAT: Duration = Duration::from_secs(1);
const PATIENCE: Duration = Duration::from_secs(60);

/// A process with one run.
struct Process {
    child: Child,
    input: ChildStdin,
    run_id: Value,
}

/// The program of a process: begins a run, and writes what the caller gets. Lets the run end when it reads a line.
#[test]
#[ignore = "the other tests start it as a process"]
fn begins_a_run() {
    let address = env::var(STORE).expect("another test starts this one");
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let (jobs, gate) = instance(&address).await;
        let started = call(&jobs, "sort", json!({ "rows": 4 })).await;
        writeln!(stdout(), "{started}").unwrap();
        let ended = tokio::task::spawn_blocking(move || {
            for _ in stdin().lines().map_while(Result::ok) {
                gate.add_permits(1);
            }
        });
        ended.await.unwrap();
    });
}

async fn instance(address: &str) -> (Actions, Arc<Semaphore>) {
    jobs_with(Runs::new(open_at(address).await.runs).heartbeat(HEARTBEAT))
}

impl Process {
    fn start(store: &Store) -> Self {
        let test = "actions::killed::begins_a_run";
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--ignored", "--exact", "--nocapture", test]).env(STORE, store.address());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        // The test harness writes its own lines around the message.
        let output = BufReader::new(child.stdout.take().unwrap());
        let line = output.lines().map_while(Result::ok).find(|line| line.starts_with('{')).expect("it begins a run");
        let started: Value = serde_json::from_str(&line).unwrap();
        Self { input: child.stdin.take().unwrap(), child, run_id: started["run_id"].clone() }
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn signal(&self, signal: &str) {
        let status = Command::new("kill").args([format!("-{signal}"), self.child.id().to_string()]).status();
        assert!(status.unwrap().success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Returns the first answer. A store on a busy machine can fail before that, which its error says.
async fn status(jobs: &Actions, run_id: &Value) -> Value {
    let patience = Instant::now() + PATIENCE;
    loop {
        let answer = jobs.handle(json!({ "action": "status", "params": { "run_id": run_id } })).await;
        if answer["error"]["kind"] != "failed" {
            assert!(answer.get("error").is_none(), "{answer}");
            return answer["result"]["status"].clone();
        }
        assert!(Instant::now() < patience, "{answer}");
    }
}

async fn becomes_interrupted(jobs: &Actions, run_id: &Value) {
    let patience = Instant::now() + PATIENCE;
    while status(jobs, run_id).await != "interrupted" {
        assert!(Instant::now() < patience, "the run is not interrupted");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_of_a_killed_process_are_interrupted_and_can_be_restarted() {
    for store in Store::of_processes() {
        let (jobs, gate) = instance(&store.address()).await;
        let mut process = Process::start(&store);
        let run_id = process.run_id.clone();
        assert_eq!(status(&jobs, &run_id).await, "working", "{}", store.name());
        process.kill();
        becomes_interrupted(&jobs, &run_id).await;
        gate.add_permits(1);
        let again = call(&jobs, "restart", json!({ "run_id": run_id, "wait": true })).await;
        assert_eq!((&again["status"], &again["outputs"]["rows"]), (&json!("completed"), &json!(4)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_answer_of_a_new_process_shows_runs_of_a_killed_one_as_interrupted() {
    for store in Store::of_processes() {
        let mut process = Process::start(&store);
        process.kill();
        let (jobs, _gate) = instance(&store.address()).await;
        assert_eq!(status(&jobs, &process.run_id).await, "interrupted", "{}", store.name());
        let working = call(&jobs, "runs", json!({ "status": "working" })).await;
        assert_eq!(working["runs"], json!([]), "{}", store.name());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_stalled_cannot_end_a_run_that_was_taken() {
    for store in Store::of_processes() {
        let (jobs, _gate) = instance(&store.address()).await;
        let mut process = Process::start(&store);
        process.signal("STOP");
        becomes_interrupted(&jobs, &process.run_id).await;
        // The run ends as soon as the process continues.
        writeln!(process.input).unwrap();
        process.signal("CONT");
        thread::sleep(2 * HEARTBEAT);
        let result = call(&jobs, "result", json!({ "run_id": process.run_id })).await;
        assert_eq!((&result["status"], result.get("outputs")), (&json!("interrupted"), None), "{}", store.name());
    }
}
