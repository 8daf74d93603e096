//! `dev`: builds and runs the program while it is written, and shows what it does.

use std::{env, ffi::OsString, io, path::PathBuf, process::ExitCode};

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use console::{Term, colors_enabled_stderr};

use super::http::ShutdownSignals;
use crate::edge::{
    cli::{
        exit::{CommandEnd, refuse},
        install::own_arguments,
        terminal::tell,
    },
    dev::{self, DevOptions, program::ProgramOptions, terminal::Terminal},
};

const NOTES: &str = "\
The command builds this program with Cargo, again after each change of its sources, and runs it in child processes. They
share a store and a key in `target/mcp-dev`, so that a call stays open while the program changes. The settings of the
program stand before the command, as in `my-server --root /data dev`.

What stands behind `--` is for `cargo build`: `my-server dev -- --features dev`.";

pub(crate) fn command() -> Command {
    let flag = |name: &'static str, help: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue).help(help);
    Command::new("dev")
        .about("Build and run this program while you change it, and try its tools")
        .after_help(NOTES)
        .arg(
            Arg::new("port")
                .long("port")
                .value_name("N")
                .value_parser(value_parser!(u16))
                .default_value("0")
                .help("The port of the page, on this machine only; 0 is a free one"),
        )
        .arg(flag("no-page", "Show rounds and messages at the terminal, and no page"))
        .arg(flag("no-watch", "Build the program once, and not again when its sources change"))
        .arg(flag("allow-release", "Run also in a build without debug assertions"))
        .arg(
            Arg::new("attach")
                .long("attach")
                .value_name("URL")
                .conflicts_with("recording")
                .help("Try the server at this URL, and not this program"),
        )
        .arg(
            Arg::new("recording")
                .long("recording")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Open a saved session"),
        )
        .arg(
            Arg::new("cargo")
                .value_name("CARGO")
                .num_args(0..)
                .last(true)
                .value_parser(value_parser!(OsString))
                .help("Arguments for `cargo build`"),
        )
}

/// Returns what the user wants. `arguments` are those that the program got, from its name on, and `given` are the options
/// of settings among them.
///
/// # Errors
/// Returns the reason why the command refuses to run.
pub(crate) fn options(arguments: &[OsString], given: Vec<String>, matches: &ArgMatches) -> Result<DevOptions, String> {
    let allows_release = matches.get_flag("allow-release");
    if let Some(reason) = refusal(cfg!(debug_assertions), allows_release) {
        return Err(reason.to_owned());
    }
    let executable = env::current_exe().map_err(|error| format!("the path of this program is unknown: {error}"))?;
    let process: Vec<_> = env::args_os().skip(1).collect();
    let mut own = own_arguments(&process, arguments.get(1..).unwrap_or_default());
    own.extend(given.into_iter().map(OsString::from));
    let cargo = matches.get_many::<OsString>("cargo").into_iter().flatten().cloned().collect();
    Ok(DevOptions {
        executable,
        program: ProgramOptions { arguments: own, cargo, watches: !matches.get_flag("no-watch"), allows_release },
        port: matches.get_one("port").copied().unwrap_or_default(),
        has_page: !matches.get_flag("no-page"),
        attach: matches.get_one("attach").cloned(),
        recording: matches.get_one("recording").cloned(),
        terminal: Terminal {
            tell: |line| tell(line),
            is_coloured: Term::stderr().is_term() && colors_enabled_stderr(),
        },
    })
}

/// Returns why the command does not run in this build.
fn refusal(has_debug_assertions: bool, allows_release: bool) -> Option<&'static str> {
    (!has_debug_assertions && !allows_release).then_some(
        "this program was built without debug assertions, and `dev` is for development builds: its processes accept \
         tokens that it signs itself, and write down what they do; build without `--release`, or add `--allow-release`",
    )
}

pub(crate) async fn act(options: Result<DevOptions, String>) -> CommandEnd {
    let options = options.map_err(refuse)?;
    let listened: io::Result<ShutdownSignals> = ShutdownSignals::listen();
    let mut signals = listened.map_err(|error| refuse(format_args!("cannot listen for signals: {error}")))?;
    dev::run(options, async move { signals.received().await }).await.map_err(refuse)?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_build_refuses_unless_it_is_allowed() {
        assert!(refusal(false, false).unwrap().ends_with("or add `--allow-release`"));
        assert_eq!(refusal(false, true), None);
        assert_eq!(refusal(true, false), None);
    }

    #[test]
    fn what_stands_behind_two_dashes_is_for_cargo() {
        let words = ["dev", "--port", "7000", "--no-page", "--", "--features", "dev"];
        let matches = command().try_get_matches_from(words).unwrap();
        let process: Vec<_> = env::args_os().collect();
        let options = options(&process, vec!["--root=/data".to_owned()], &matches).unwrap();
        assert_eq!(options.program.cargo, ["--features", "dev"]);
        assert_eq!(options.program.arguments, ["--root=/data"]);
        assert_eq!((options.port, options.has_page, options.program.watches), (7000, false, true));
        assert!(command().try_get_matches_from(["dev", "--port", "70000"]).is_err());
        assert!(command().try_get_matches_from(["dev", "--attach", "http://a", "--recording", "b"]).is_err());
    }
}
