//! The program at a terminal.

use std::{
    io::Write as _,
    process::{Command, Stdio},
};

/// Runs the program with this input. Returns its output and whether it succeeded.
fn run(arguments: &[&str], input: &str) -> (String, bool) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_embedded"));
    command.args(arguments).env_remove("MCP_MODEL").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut program = command.spawn().unwrap();
    program.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = program.wait_with_output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.success())
}

#[test]
fn it_books_a_flight() {
    let (output, success) = run(&["book", "HEL", "2026-12-04"], "1\nyes\n");
    assert!(success && output.contains("Which flight to HEL?"), "{output}");
    assert!(output.contains("a window seat. The ticket is "), "{output}");
}

#[test]
fn a_user_can_decline_and_leave() {
    let (output, success) = run(&["book", "HEL", "2026-12-04"], "\n");
    assert!(success && output.contains("Nothing is booked."), "{output}");
    let (output, success) = run(&["book", "HEL", "2026-12-04"], "");
    assert!(success && output.contains("closed the form"), "{output}");
    let (output, success) = run(&["book", "nowhere"], "");
    assert!(!success && output.contains("nowhere"), "{output}");
}

#[test]
fn a_game_needs_a_model() {
    let (output, success) = run(&["play"], "");
    assert!(!success && output.contains("sampling"), "{output}");
}
