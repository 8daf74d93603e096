//! Runs that the command line begins.

use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::support::{data, program, report, stored};

/// Runs an action at the command line.
fn call(mut program: Command, action: &str, params: &Value, more: &[&str]) -> Output {
    program.args(["call", "pipelines", "--action", action, "--params", &params.to_string()]).args(more);
    program.output().unwrap()
}

/// Returns the report about the run, as the result of the call has it.
fn run(output: &Output) -> Value {
    let result: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    result["structuredContent"]["result"].clone()
}

fn top(count: u32) -> Value {
    json!({ "name": "top_customers", "inputs": { "count": count } })
}

#[test]
fn the_command_line_waits_for_a_run_that_it_begins() {
    let data = data();
    let output = call(program(&data), "run", &top(1), &["--json", "--log", "debug"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(run(&output)["status"], "completed");
    assert!(report(&data, "top_customers.csv").starts_with("customer,"));
    let shown = String::from_utf8(output.stderr).unwrap();
    assert!(shown.contains("aggregate"), "the log messages of the run are shown: {shown}");
}

#[test]
fn a_run_that_fails_at_the_command_line_has_an_exit_code() {
    let data = data();
    let params = json!({ "name": "top_customers", "inputs": { "file": "../x.csv" }, "wait": false });
    let output = call(program(&data), "run", &params, &[]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{output:?}");
    let shown = String::from_utf8(output.stderr).unwrap();
    assert!(shown.contains("is not a path inside"), "{shown}");
}

#[test]
fn questions_of_a_run_are_answered_at_the_command_line() {
    let data = data();
    call(program(&data), "run", &top(1), &[]);
    let kept = call(program(&data), "run", &top(2), &["--json", "--answer", "replace=false"]);
    assert_eq!((kept.status.code(), &run(&kept)["status"]), (Some(1), &json!("failed")));
    assert_eq!(report(&data, "top_customers.csv").lines().count(), 2);
    let replaced = call(program(&data), "run", &top(2), &["--json", "--answer", "replace=true"]);
    assert_eq!((replaced.status.code(), &run(&replaced)["status"]), (Some(0), &json!("completed")));
    assert_eq!(report(&data, "top_customers.csv").lines().count(), 3);
}

#[test]
fn detach_needs_a_store_that_outlives_the_process() {
    let data = data();
    let output = call(program(&data), "run", &top(1), &["--detach"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let shown = String::from_utf8(output.stderr).unwrap();
    assert!(shown.starts_with("error: `--detach` needs a store that outlives this process"), "{shown}");
    let list = call(stored(&data), "list", &json!({}), &["--detach"]);
    let shown = String::from_utf8(list.stderr).unwrap();
    // Warnings can come before.
    let last = "error: `--detach` needs an action that begins a run, and \"list\" does not";
    assert_eq!(shown.lines().last(), Some(last), "{shown}");
}

#[cfg(unix)]
#[test]
fn a_detached_run_ends_after_the_command() {
    let data = data();
    let output = call(stored(&data), "run", &top(1), &["--json", "--detach"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let begun = run(&output);
    let wait = json!({ "run_id": begun["run_id"], "wait": true });
    let ended = call(stored(&data), "status", &wait, &["--json"]);
    assert_eq!(run(&ended)["status"], "completed", "{ended:?}");
    assert!(report(&data, "top_customers.csv").starts_with("customer,"));

    // The question of a detached run waits until a client asks its user.
    let output = call(stored(&data), "run", &top(2), &["--json", "--detach"]);
    let wait = json!({ "run_id": run(&output)["run_id"], "wait": true });
    let ended = call(stored(&data), "status", &wait, &["--json", "--answer", "replace=true"]);
    assert_eq!(run(&ended)["status"], "completed", "{ended:?}");
    assert_eq!(report(&data, "top_customers.csv").lines().count(), 3);
}
