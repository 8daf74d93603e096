//! Runs of actions that a call begins.

use serde_json::{Value, json};

use crate::cli::program::{Ran, ended, program};

fn work(more: &[&str]) -> Ran {
    let mut command = program("cli_server");
    command
        .env("WITH_RUNS", "1")
        .args(["call", "jobs", "--action", "work", "--params", r#"{"millis": 300}"#])
        .args(more);
    ended(command.output().unwrap())
}

#[test]
fn a_call_waits_for_its_run_without_a_time_limit() {
    let ran = work(&["--json"]);
    let result: Value = serde_json::from_str(ran.result()).unwrap();
    let run = &result["structuredContent"]["result"];
    assert_eq!((&run["status"], &run["outputs"]), (&json!("completed"), &json!("done")));
    for told in ["at work", "nearly done"] {
        assert_eq!(ran.errors.matches(told).count(), 1, "{ran:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_run_in_memory_cannot_be_detached() {
    let ran = work(&["--detach"]);
    assert_eq!((ran.code, &*ran.output), (Some(2), ""), "{ran:?}");
    assert!(ran.errors.contains("the runs of `jobs` are stored in memory"), "{ran:?}");
}
