//! The program's own commands.

use std::{
    ffi::OsString,
    io::{self, IsTerminal},
    path::Path,
    process::ExitCode,
};

use clap::{Arg, Command, Error};

use super::{
    call,
    layout::wrap,
    page::page,
    refuse, serve,
    table::table,
    terminal::{self, print, tell},
};
use crate::{server::Service, tool::registry::Registry};

/// Runs a command. The arguments contain its name.
pub(crate) async fn act(service: Service, arguments: Vec<OsString>) -> ExitCode {
    let program = program(&arguments, &service);
    let matches = match command(&service, &program).try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => return unmatched(&error),
    };
    match matches.subcommand() {
        Some(("tools", matches)) => {
            tools(&service.0.registry.read(), &program, matches.get_one("tool").map(String::as_str))
        }
        #[cfg(feature = "http")]
        Some(("http", matches)) => super::http::serve(&service, matches).await,
        Some(("help", _)) => print(&command(&service, &program).render_help().to_string(), ExitCode::SUCCESS),
        Some(("manifest", _)) => print(&format!("{:#}\n", service.manifest()), ExitCode::SUCCESS),
        Some(("call", matches)) => {
            let arguments = matches.get_many("arguments").into_iter().flatten().cloned().collect();
            call::act(&service, &program, arguments).await
        }
        chosen => {
            if chosen.is_none() && io::stdin().is_terminal() {
                tell(format_args!(
                    "waiting for an MCP client on standard input; try `{program} tools` or `{program} call`"
                ));
            }
            serve(&service).await
        }
    }
}

/// Returns the name that the program was started with, without directories.
fn program(arguments: &[OsString], service: &Service) -> String {
    let name = arguments.first().and_then(|path| Path::new(path).file_name());
    let name = name.filter(|name| !name.is_empty());
    name.map_or_else(|| service.0.identity.name.clone(), |name| name.to_string_lossy().into_owned())
}

fn command(service: &Service, program: &str) -> Command {
    let identity = &service.0.identity;
    let title = identity.title.as_ref().unwrap_or(&identity.name);
    let about = match &identity.instructions {
        Some(instructions) => format!("{title}\n\n{instructions}"),
        None => title.clone(),
    };
    let command = Command::new(identity.name.clone())
        .bin_name(program)
        .version(identity.version.clone())
        .about(wrap(&about, terminal::width()).join("\n"))
        .disable_help_subcommand(true)
        .subcommand(
            Command::new("stdio").about("Serve the MCP client at standard input and output (the default command)"),
        )
        .subcommand(
            Command::new("tools")
                .about("Show the tools")
                .arg(Arg::new("tool").value_name("TOOL").help("Show all details of this tool")),
        )
        .subcommand(Command::new("manifest").about("Print all that the server publishes, as JSON"))
        .subcommand(
            // The rest is parsed when the tool is known: see `call`.
            Command::new("call").about("Call a tool").disable_help_flag(true).arg(
                Arg::new("arguments")
                    .num_args(0..)
                    .trailing_var_arg(true)
                    .allow_hyphen_values(true)
                    .value_parser(clap::value_parser!(OsString)),
            ),
        );
    #[cfg(feature = "http")]
    let command = command.subcommand(super::http::command());
    command.subcommand(Command::new("help").about("Show these commands"))
}

fn tools(registry: &Registry, program: &str, name: Option<&str>) -> ExitCode {
    let width = terminal::width();
    match name {
        None => print(&table(registry, program, width), ExitCode::SUCCESS),
        Some(name) => match registry.find(name) {
            Some(tool) => print(&page(tool, program, width), ExitCode::SUCCESS),
            None => refuse(call::unknown_tool(registry, name)),
        },
    }
}

/// Prints a message of clap. Help and versions go to standard output, and errors go to standard error.
pub(super) fn unmatched(error: &Error) -> ExitCode {
    let text = error.render().to_string();
    if error.use_stderr() {
        tell(text.trim_end());
        return ExitCode::from(super::REFUSED);
    }
    print(&text, ExitCode::SUCCESS)
}
