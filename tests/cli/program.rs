//! The program under test, and the outcomes of its runs.

use std::{
    io::Write,
    path::PathBuf,
    process::{Child, Command, Output, Stdio},
};

use crate::support::example;

/// How a run of the program ended.
#[derive(Debug, PartialEq)]
pub(super) struct Ran {
    pub(super) code: Option<i32>,
    pub(super) output: String,
    pub(super) errors: String,
}

impl Ran {
    /// Returns the output of a successful run.
    pub(super) fn result(&self) -> &str {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.output.trim_end()
    }
}

/// Runs the program with these arguments.
pub(super) fn run<const N: usize>(arguments: [&str; N]) -> Ran {
    ended(program("cli_server").args(arguments).stdin(Stdio::null()).output().unwrap())
}

/// Runs the program with these arguments and this standard input.
pub(super) fn run_with(arguments: &[&str], input: &str) -> Ran {
    let mut command = program("cli_server");
    let child = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    ended(child.wait_with_output().unwrap())
}

pub(super) fn ended(Output { status, stdout, stderr }: Output) -> Ran {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: status.code(), output: text(stdout), errors: text(stderr) }
}

pub(super) fn printed(output: &str) -> Ran {
    Ran { code: Some(0), output: output.to_owned(), errors: String::new() }
}

pub(super) fn failed(code: i32, errors: &str) -> Ran {
    Ran { code: Some(code), output: String::new(), errors: errors.to_owned() }
}

pub(super) fn spawn(arguments: &[&str]) -> Child {
    spawn_in(&[], arguments)
}

/// Starts the program with these environment variables and arguments.
pub(super) fn spawn_in(variables: &[(&str, &str)], arguments: &[&str]) -> Child {
    let mut command = program("cli_server");
    command.envs(variables.iter().copied()).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Returns the command for a server of these tests, or for the program of an example.
pub(super) fn program(name: &str) -> Command {
    let mut command = Command::new(match name {
        "cli_server" => PathBuf::from(env!("CARGO_BIN_EXE_cli_server")),
        "cli_settings" => PathBuf::from(env!("CARGO_BIN_EXE_cli_settings")),
        "cli_install" => PathBuf::from(env!("CARGO_BIN_EXE_cli_install")),
        "cli_checks" => PathBuf::from(env!("CARGO_BIN_EXE_cli_checks")),
        "cli_doctors" => PathBuf::from(env!("CARGO_BIN_EXE_cli_doctors")),
        "cli_packages" => PathBuf::from(env!("CARGO_BIN_EXE_cli_packages")),
        "cli_flags" => PathBuf::from(env!("CARGO_BIN_EXE_cli_flags")),
        _ => example(name),
    });
    command.env("RUST_BACKTRACE", "0").env("NO_COLOR", "1");
    command
}
