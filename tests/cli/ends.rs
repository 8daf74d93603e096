//! How the program ends when the world outside goes wrong, or Ctrl-C is pressed.

use std::{
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::program::{ended, failed, printed, program, run_with, spawn};

#[test]
fn without_a_command_a_client_is_served() {
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    let pong = printed("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
    assert_eq!(run_with(&[], ping), pong);
    assert_eq!(run_with(&["stdio"], ping), pong);
}

#[test]
fn a_server_that_cannot_be_built_says_why() {
    let missing = "error: the server cannot be built: tool `count`: takes `&cli_server::Start`, and the server has none; \
                   add `.state(…)` with a `cli_server::Start`\n";
    for command in ["stdio", "tools"] {
        let ran = program("cli_server").arg(command).env("WITHOUT_STATE", "1").stdin(Stdio::null()).output().unwrap();
        assert_eq!(ended(ran), failed(2, missing));
    }
}

#[test]
fn a_key_that_is_none_is_told_once_and_by_the_name_of_its_variable() {
    let ran = program("cli_server").arg("tools").env("MCP_STATE_KEY", "secret").stdin(Stdio::null()).output().unwrap();
    let wrong = "error: the server cannot be built: `MCP_STATE_KEY`: key 1 is not base64; give one or more keys of 32 \
                 random bytes in base64, newest first, with commas between them; `openssl rand -base64 32` makes one\n";
    assert_eq!(ended(ran), failed(2, wrong));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let text = "many words ".repeat(10_000);
    let mut child = spawn(&["call", "say", "--text", &text, "--times", "9"]);
    drop(child.stdout.take());
    assert_eq!(ended(child.wait_with_output().unwrap()), printed(""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_is_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let ran = ended(program("cli_server").arg("manifest").stdout(full).output().unwrap());
    assert_eq!(ran, failed(2, "error: cannot write to standard output: No space left on device (os error 28)\n"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_cancels_the_call() {
    let child = spawn(&["call", "--log", "debug", "count", "--to", "1000", "--pause_ms", "100"]);
    interrupt(child, &[("debug: about to count", true), ("cancelled", false)]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_even_a_program_whose_tool_never_pauses() {
    let child = spawn(&["call", "block", "--seconds", "60"]);
    let still_busy = "the tool is still busy; Ctrl-C again ends the program at once";
    interrupt(child, &[("info: busy", true), ("cancelled", false), (still_busy, true)]);
}

/// Reads these lines, and presses Ctrl-C after some of them.
#[cfg(unix)]
fn interrupt(mut child: Child, lines: &[(&str, bool)]) {
    use std::io::{BufRead, BufReader};

    let mut errors = BufReader::new(child.stderr.take().unwrap()).lines();
    for (line, press) in lines {
        assert_eq!(errors.next().unwrap().unwrap(), *line);
        if *press {
            assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        }
    }
    assert_eq!(ended(child.wait_with_output().unwrap()), failed(130, ""));
    assert!(errors.next().is_none());
}

#[cfg(unix)]
#[test]
fn a_terminal_that_goes_away_ends_even_a_program_that_ignores_it() {
    use std::io::Read;

    let (mut terminal, seat) = pty_process::blocking::open().unwrap();
    let server = program("cli_server");
    let ignoring = ["-c", "trap '' HUP; exec \"$0\" call wipe", server.get_program().to_str().unwrap()];
    let mut child = pty_process::blocking::Command::new("sh").args(ignoring).spawn(seat).unwrap();
    let mut shown = String::new();
    while !shown.contains("cannot be undone") {
        let mut bytes = [0; 4096];
        let count = terminal.read(&mut bytes).unwrap();
        shown.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    drop(terminal);
    let until = Instant::now() + Duration::from_secs(20);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > until {
            child.kill().unwrap();
            panic!("the program goes on without its terminal");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}
