//! A program that has its own flags as well as the commands of the server.

use std::{io::Write, process::Stdio};

use crate::cli::program::{Ran, ended, failed, printed, program, run};

fn run_flags(arguments: &[&str]) -> Ran {
    ended(program("cli_flags").args(arguments).stdin(Stdio::null()).output().unwrap())
}

#[test]
fn flags_of_the_author_come_before_the_commands() {
    assert_eq!(run_flags(&["call", "greet", "--name", "Ann"]), printed("Hello, Ann!\n"));
    let moin = ["--greeting", "Moin", "call", "greet", "--name", "Ann"];
    assert_eq!(run_flags(&moin), printed("Moin, Ann!\n"));
    assert_eq!(run_flags(&["--greeting=Moin", "call", "greet", "{\"name\": \"--help\"}"]), printed("Moin, --help!\n"));
    assert_eq!(run_flags(&["--greeting", "Moin", "greeting"]), printed("Moin\n"));
    assert!(run_flags(&["tools"]).output.contains("Call it: `cli_flags call TOOL`"));
}

#[test]
fn serves_a_client_without_a_command() {
    let mut child = program("cli_flags")
        .args(["--greeting", "Moin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n").unwrap();
    let pong = printed("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
    assert_eq!(ended(child.wait_with_output().unwrap()), pong);
}

#[test]
fn the_help_of_the_author_ends_with_the_commands_of_the_server() {
    let help = run_flags(&["--help"]);
    let commands = mcp_runtime::Server::COMMANDS_HELP;
    assert!(
        help.output.contains("--greeting <GREETING>") && help.output.ends_with(&format!("\n\n{commands}\n")),
        "{help:?}"
    );
    // The server's own help says the same, without the command for stores with tables, because it has none.
    let own = run_flags(&["help"]);
    assert_eq!((own.code, own.errors.as_str()), (Some(0), ""));
    let listed = own.output.split("\n\nOptions:").next().unwrap().split_once("Commands:\n").unwrap().1;
    let without_store: Vec<_> = commands.lines().filter(|line| !line.starts_with("  store ")).collect();
    assert_eq!(format!("Commands of the server:\n{listed}"), without_store.join("\n"));
    assert_eq!(run(["help"]).output, run(["--help"]).output);
}

#[test]
fn the_server_reports_mistakes_after_the_command() {
    let refused = run_flags(&["call", "greet", "--nam", "Ann"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.errors.contains("Usage: cli_flags call greet --name <string> [JSON]"), "{}", refused.errors);
    let unknown = "error: there is no tool `gret`; did you mean `greet`?\n\nTools: greet\n";
    assert_eq!(run_flags(&["call", "gret"]), failed(2, unknown));
    assert_eq!(run_flags(&["nonsense"]).code, Some(2));
}
