//! `doctor`: connects to the server as hosts do, and says what is slow, wrong or missing.

mod environment;
mod examine;
#[cfg(feature = "http")]
mod http;
mod report;
mod session;

use std::{env, ffi::OsString, process::ExitCode};

use clap::{Arg, ArgAction, ArgMatches, Command};
use console::Term;
use serde_json::Value;
use tokio::time::Instant;

use self::{
    examine::{Beginning, call_readers, compare, list},
    report::{Mark, Section},
    session::HostSession,
};
use super::{
    exit::{CommandEnd, refuse},
    install::{own_arguments, program_path},
    setting_options,
    terminal::print,
};
use crate::{
    edge::own_program::{OwnProgram, error_of},
    serve::{remote::transport::process::Process, server::Service, settings::SettingSources},
};

const NOTES: &str = "\
The command starts this program again, over standard input and output and over HTTP at a free port of this machine. It
lists everything, and calls only tools that are `read_only` and need no arguments. It shows no values of settings.

Exit code: 0 if everything works, 1 if something is wrong.";

pub(crate) fn command() -> Command {
    Command::new("doctor")
        .about("Connect to this server as hosts do, and show what is slow, wrong or missing")
        .after_help(NOTES)
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print the report as JSON"))
}

/// Runs the command. `arguments` are those that the program got, from its name on, and `sources` have the options of
/// settings among them.
pub(crate) async fn act(
    service: &Service,
    arguments: &[OsString],
    mut sources: SettingSources,
    matches: &ArgMatches,
) -> CommandEnd {
    let path = program_path(arguments.first().map(OsString::as_os_str)).map_err(refuse)?;
    let config = setting_options::config_of(matches);
    sources.open_file(config.as_deref()).map_err(refuse)?;
    let process: Vec<_> = env::args_os().skip(1).collect();
    let mut own = OwnProgram { path, arguments: own_arguments(&process, arguments.get(1..).unwrap_or_default()) };
    own.arguments.extend(config.map(|file| OsString::from(format!("--config={}", file.display()))));
    for (flag, values) in sources.flags.iter().flatten() {
        own.arguments.extend(values.iter().map(|value| OsString::from(format!("--{flag}={value}"))));
    }
    let mut sections = vec![environment::program(service, &own.path), environment::settings(service, &sources)];
    sections.push(standard_streams(&own).await);
    #[cfg(feature = "http")]
    {
        let operator = super::operator::OperatorSettings::of(&sources).ok();
        sections.push(http::examine(service, &own, operator.as_ref().map(|operator| &*operator.http_addr)).await);
    }
    let text = match matches.get_flag("json") {
        true => report::json(&sections),
        false => report::text(&sections, Term::stdout().is_term()),
    };
    let is_wrong = report::worst(&sections) == Mark::Wrong;
    Ok(print(&text, if is_wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS }))
}

/// Examines the server over standard input and output, once for each way in which hosts begin.
async fn standard_streams(own: &OwnProgram) -> Section {
    let mut section = Section::new("Standard input and output");
    let mut lists: Vec<Vec<Value>> = Vec::new();
    for beginning in [Beginning::Discover, Beginning::Initialize, Beginning::DiscoverThenInitialize] {
        let mut of_beginning = Section::new("");
        let examined = examine_child(&mut of_beginning, own, beginning).await;
        section.append(&beginning.in_words(), of_beginning);
        match examined {
            Ok(tools) => lists.push(tools),
            Err(problem) => {
                section.wrong(format!("{}: {problem}", beginning.in_words()));
                break;
            }
        }
    }
    if let [modern, legacy, ..] = &lists[..] {
        compare(&mut section, modern, legacy);
    }
    section
}

/// Starts the program and lists everything. A client of the newest revision also calls tools. Returns the tools.
async fn examine_child(section: &mut Section, own: &OwnProgram, beginning: Beginning) -> Result<Vec<Value>, String> {
    let started = Instant::now();
    let transport = Process::start(&mut own.command(&["stdio"]))?;
    let mut session = HostSession::new(Box::new(transport), beginning.revision());
    let examined = async {
        let tools = list(section, &mut session, beginning, started).await?;
        if beginning == Beginning::Discover {
            call_readers(section, &mut session, &tools).await?;
        }
        Ok(tools)
    };
    let examined: Result<_, String> = examined.await;
    let written = session.end().await.unwrap_or_default();
    examined.map_err(|problem| match &*error_of(&written) {
        "" => problem,
        error => format!("{problem}; the server says: {error}"),
    })
}
