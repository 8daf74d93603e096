//! `dev`: builds and runs the program while it is written, and shows what it does.

use std::{env, ffi::OsString, io, path::PathBuf, process::ExitCode};

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use console::{Term, colors_enabled_stderr};
use http::{HeaderMap, HeaderName, HeaderValue};

use super::http::ShutdownSignals;
use crate::edge::{
    cli::{
        exit::{CommandEnd, refuse},
        install::own_arguments,
        terminal::tell,
    },
    dev::{
        self, DevOptions, DevSource,
        program::{Building, ProgramOptions},
        terminal::Terminal,
    },
};

const NOTES: &str = "\
The command builds this program with Cargo, again after each change of its sources, and runs it in child processes. They
share a store and a key in `target/mcp-dev`, so that a call stays open while the program changes. The settings of the
program stand before the command, as in `my-server --root /data dev`.

Hosts connect to the address that the command shows, and stay connected while the program changes. The address has a
secret token, which is the same in each session; choose a port with `--port`, and a host needs to be configured only once.

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
                .help("The port of the page and of hosts, on this machine only; 0 is a free one"),
        )
        .arg(
            flag("no-page", "Serve hosts only, and show their messages at the terminal, one line each")
                .conflicts_with_all(["attach", "recording"]),
        )
        .arg(flag("no-watch", "Build the program once, and not again when its sources change"))
        .arg(flag("no-build", "Run this program as it is, and build nothing").conflicts_with("no-watch"))
        .arg(
            Arg::new("data")
                .long("data")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .help("The folder for the store and the keys of the session [default: target/mcp-dev/PROGRAM]"),
        )
        .arg(flag("allow-release", "Run also in a build without debug assertions"))
        .arg(
            Arg::new("attach")
                .long("attach")
                .value_name("URL")
                .conflicts_with("recording")
                .help("Try the server at this URL, and not this program"),
        )
        .arg(
            Arg::new("header")
                .long("header")
                .value_name("NAME: VALUE")
                .requires("attach")
                .action(ArgAction::Append)
                .help("Send this header with each request to the URL, such as `authorization: Bearer TOKEN`"),
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
/// of settings among them. `secrets` are the values of secret settings.
///
/// # Errors
/// Returns the reason why the command refuses to run.
pub(crate) fn options(
    arguments: &[OsString],
    given: Vec<String>,
    secrets: Vec<String>,
    matches: &ArgMatches,
) -> Result<DevOptions, String> {
    let allows_release = matches.get_flag("allow-release");
    if let Some(reason) = refusal(cfg!(debug_assertions), allows_release) {
        return Err(reason.to_owned());
    }
    let executable = env::current_exe().map_err(|error| format!("the path of this program is unknown: {error}"))?;
    let name = executable.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let source = match (matches.get_one::<String>("attach"), matches.get_one::<PathBuf>("recording")) {
        (Some(url), _) => DevSource::Url { url: url.clone(), headers: headers(matches)? },
        (None, Some(file)) => DevSource::Recording(file.clone()),
        (None, None) => DevSource::Program(ProgramOptions {
            executable,
            arguments: own(arguments, given),
            building: building(matches),
            data: matches.get_one("data").cloned(),
            allows_release,
        }),
    };
    Ok(DevOptions {
        source,
        name,
        port: matches.get_one("port").copied().unwrap_or_default(),
        has_page: !matches.get_flag("no-page"),
        secrets,
        terminal: Terminal {
            tell: |line| tell(line),
            is_coloured: Term::stderr().is_term() && colors_enabled_stderr(),
        },
    })
}

/// Returns the program's own flags, and the options of its settings.
fn own(arguments: &[OsString], given: Vec<String>) -> Vec<OsString> {
    let process: Vec<_> = env::args_os().skip(1).collect();
    let mut own = own_arguments(&process, arguments.get(1..).unwrap_or_default());
    own.extend(given.into_iter().map(OsString::from));
    own
}

fn building(matches: &ArgMatches) -> Building {
    if matches.get_flag("no-build") {
        return Building::Never;
    }
    let arguments = matches.get_many::<OsString>("cargo").into_iter().flatten().cloned().collect();
    Building::ByCargo { arguments, watches: !matches.get_flag("no-watch") }
}

/// Returns the headers for a server at a URL.
///
/// # Errors
/// Returns what is wrong with a header. Its value can be a secret, and is not shown.
fn headers(matches: &ArgMatches) -> Result<HeaderMap, String> {
    let given = matches.get_many::<String>("header").into_iter().flatten();
    let header = |text: &String| {
        let (name, value) = text.split_once(':')?;
        Some((HeaderName::try_from(name.trim()).ok()?, HeaderValue::try_from(value.trim()).ok()?))
    };
    let headers: Option<_> = given.map(header).collect();
    headers.ok_or_else(|| "a header is not valid; write it like `--header \"authorization: Bearer TOKEN\"`".to_owned())
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
    use std::ffi::OsStr;

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
        let options = options(&process, vec!["--root=/data".to_owned()], Vec::new(), &matches).unwrap();
        assert_eq!((options.port, options.has_page), (7000, false));
        let DevSource::Program(program) = options.source else { panic!("not a program") };
        let Building::ByCargo { arguments, watches: true } = program.building else { panic!("not watched") };
        assert_eq!(
            (arguments.join(OsStr::new(" ")), program.arguments),
            ("--features dev".into(), vec!["--root=/data".into()])
        );
        for wrong in [
            &["dev", "--port", "70000"][..],
            &["dev", "--attach", "http://a", "--recording", "b"],
            &["dev", "--no-build", "--no-watch"],
            &["dev", "--header", "a: b"],
            &["dev", "--no-page", "--attach", "http://a"],
        ] {
            assert!(command().try_get_matches_from(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn headers_are_for_a_server_at_a_url() {
        let headers = |header| {
            let matches = command().try_get_matches_from(["dev", "--attach", "http://a", "--header", header]).unwrap();
            headers(&matches)
        };
        assert_eq!(headers("Authorization: Bearer t").unwrap()["authorization"], "Bearer t");
        let error = headers("Bearer hunter2").unwrap_err();
        assert!(error.contains("--header") && !error.contains("hunter2"), "{error}");
    }
}
