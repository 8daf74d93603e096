//! How the program ends after failures of its environment, or Ctrl-C.

use std::{
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::cli::program::{Ran, ended, failed, printed, program, run_with, spawn};

#[test]
fn serves_a_client_without_a_command() {
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    let warning = "hosts whose model API knows only a part of JSON Schema show their model less than the tools accept: \
                   `log` of `repeat` (any value). The documentation of `mcp_runtime::guide::schemas` says what each host does\n";
    let pong = Ran { errors: warning.to_owned(), ..printed("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n") };
    assert_eq!(run_with(&[], ping), pong);
    assert_eq!(run_with(&["stdio"], ping), pong);
}

#[test]
fn reports_why_a_server_cannot_be_built() {
    let missing = "error: the server cannot be built: tool `count`: takes `&cli_server::Start`, but the server has \
                   no state of this type; add `.state(…)` with a `cli_server::Start`\n";
    for command in ["stdio", "tools"] {
        let ran = program("cli_server").arg(command).env("WITHOUT_STATE", "1").stdin(Stdio::null()).output().unwrap();
        assert_eq!(ended(ran), failed(2, missing));
    }
}

#[test]
fn reports_an_invalid_key_once_by_its_variable() {
    let ran = program("cli_server").arg("tools").env("MCP_STATE_KEY", "secret").stdin(Stdio::null()).output().unwrap();
    let wrong = "error: the server cannot be built: `MCP_STATE_KEY`: key 1 is not base64; give one or more keys, \
                 separated by commas; the server encrypts with the first key; a key is 32 random bytes in base64: \
                 `openssl rand -base64 32` prints one\n";
    assert_eq!(ended(ran), failed(2, wrong));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let text = "many words ".repeat(10_000);
    let mut child = spawn(&["call", "say", "--text", &text, "--times", "9"]);
    drop(child.stdout.take());
    assert_eq!(ended(child.wait_with_output().unwrap()), printed(""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let ran = ended(program("cli_server").arg("manifest").stdout(full).output().unwrap());
    assert_eq!(ran, failed(2, "error: cannot write to standard output: No space left on device (os error 28)\n"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_cancels_the_call() {
    let child = spawn(&["call", "--log", "debug", "count", "--to", "1000", "--pause_ms", "60000"]);
    interrupt(child, &[("debug: about to count", true), ("cancelled", false)]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_program_whose_tool_never_yields() {
    let child = spawn(&["call", "block", "--seconds", "60"]);
    let still_busy = "the tool is still busy; press Ctrl-C again to end the program at once";
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
fn a_closed_terminal_ends_a_program_that_ignores_hangups() {
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
