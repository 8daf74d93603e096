//! The program's own commands.

mod call;
mod complete;
#[cfg(feature = "http")]
mod http;
mod read;
mod resources;
mod store;

use std::{
    ffi::OsString,
    io::{self, IsTerminal},
    path::Path,
    pin::Pin,
    process::ExitCode,
};

use clap::{Arg, ArgMatches, Command};

use super::{
    exit::{CommandEnd, refuse, serve},
    install,
    items::{
        item::{ItemKind, PROMPTS, TOOLS},
        page::page,
        table::table,
    },
    terminal::{self, layout::wrap, print, tell},
};
use crate::{
    engine::{call::operation::Operation, tool::registry::Registry},
    serve::server::Service,
};

macro_rules! commands_help {
    ($http:literal) => {
        concat!(
            "\
Commands of the server:
  stdio      Serve the MCP client at standard input and output (the default command)
  tools      Show the tools
  manifest   Print all that the server publishes, as JSON
  call       Call a tool
  prompts    Show the prompts
  prompt     Get a prompt
  resources  Show the resources
  read       Read a resource
  complete   Complete an argument of a prompt, or a variable of a template of resources
  store      Create or change the tables of the store
  install    Add this server to the configuration of hosts, such as Claude Code or VS Code
",
            $http,
            "  help       Show these commands"
        )
    };
}

pub(crate) const COMMANDS_HELP: &str = if cfg!(feature = "http") {
    commands_help!("  http       Serve MCP clients over HTTP, at the path /mcp\n")
} else {
    commands_help!("")
};

/// Runs a command. The parameter `arguments` contains the name of the command.
///
/// The future is boxed. Otherwise a program would contain a copy of the future's code for each place that awaits it.
pub(crate) fn act(service: Service, arguments: Vec<OsString>) -> Pin<Box<dyn Future<Output = ExitCode> + Send>> {
    Box::pin(async { run(service, arguments).await.unwrap_or_else(|code| code) })
}

async fn run(service: Service, arguments: Vec<OsString>) -> CommandEnd {
    let program = program(&arguments, &service);
    let matches = command(&service, &program).try_get_matches_from(&arguments);
    let matches = matches.map_err(|error| terminal::unmatched(&error))?;
    let registry = &service.0.registry.read().clone();
    match matches.subcommand() {
        Some(("tools", matches)) => list(registry, &TOOLS, &program, matches),
        Some(("prompts", matches)) => list(registry, &PROMPTS, &program, matches),
        Some(("resources", matches)) => resources::act(&service, &program, matches).await,
        Some(("read", matches)) => read::act(&service, &program, matches).await,
        Some(("complete", matches)) => complete::act(&service, matches).await,
        Some(("store", _)) => store::migrate(&service).await,
        Some(("install", matches)) => install::act(&service, &program, &arguments, matches),
        #[cfg(feature = "http")]
        Some(("http", matches)) => http::serve(&service, matches).await,
        Some(("help", _)) => Ok(print(&command(&service, &program).render_help().to_string(), ExitCode::SUCCESS)),
        Some(("manifest", _)) => Ok(print(&format!("{:#}\n", service.manifest()), ExitCode::SUCCESS)),
        Some((verb @ ("call" | "prompt"), matches)) => {
            let kind = if verb == "call" { &TOOLS } else { &PROMPTS };
            let arguments = matches.get_many("arguments").into_iter().flatten().cloned().collect();
            call::act(&service, &program, kind, arguments).await
        }
        chosen => {
            if chosen.is_none() && io::stdin().is_terminal() {
                tell(format_args!(
                    "waiting for an MCP client on standard input; try `{program} tools` or `{program} call`"
                ));
            }
            Ok(serve(&service).await)
        }
    }
}

/// Returns the name that the program was started with, without directories.
fn program(arguments: &[OsString], service: &Service) -> String {
    let name = arguments.first().and_then(|path| Path::new(path).file_name());
    let name = name.filter(|name| !name.is_empty());
    name.map_or_else(|| service.0.settings.identity.name.clone(), |name| name.to_string_lossy().into_owned())
}

fn command(service: &Service, program: &str) -> Command {
    let identity = &service.0.settings.identity;
    let registry = &service.0.registry.read().clone();
    let has_prompts = PROMPTS.all(registry).next().is_some();
    let has_resources = registry.others(Operation::ReadResource).next().is_some();
    let completes = service.0.has_method(Operation::Complete.method());
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
        .subcommand(list_command(&TOOLS))
        .subcommand(Command::new("manifest").about("Print all that the server publishes, as JSON"))
        .subcommand(call_command(&TOOLS))
        .subcommand(list_command(&PROMPTS).hide(!has_prompts))
        .subcommand(call_command(&PROMPTS).hide(!has_prompts))
        .subcommand(resources::command().hide(!has_resources))
        .subcommand(read::command().hide(!has_resources))
        .subcommand(complete::command().hide(!completes))
        .subcommand(store::command().hide(store::migration(service).is_none()))
        .subcommand(install::command());
    #[cfg(feature = "http")]
    let command = command.subcommand(http::command());
    command.subcommand(Command::new("help").about("Show these commands"))
}

/// The command `tools` or `prompts`.
fn list_command(kind: &ItemKind) -> Command {
    let (noun, name) = (kind.noun(), Arg::new("name").value_name(kind.placeholder));
    Command::new(kind.listed_by)
        .about(format!("Show the {noun}s"))
        .arg(name.help(format!("Show all details of this {noun}")))
}

/// The command `call` or `prompt`. The module `call` parses the rest, once the tool or prompt is known.
fn call_command(kind: &ItemKind) -> Command {
    Command::new(kind.called_by).about(kind.about_call).disable_help_flag(true).arg(
        Arg::new("arguments")
            .num_args(0..)
            .trailing_var_arg(true)
            .allow_hyphen_values(true)
            .value_parser(clap::value_parser!(OsString)),
    )
}

fn list(registry: &Registry, kind: &ItemKind, program: &str, matches: &ArgMatches) -> CommandEnd {
    let width = terminal::width();
    let text = match matches.get_one::<String>("name") {
        None => table(registry, kind, program, width),
        Some(name) => {
            let item = kind.find(registry, name).ok_or_else(|| refuse(kind.unknown(registry, name)))?;
            page(&item, kind, program, width)
        }
    };
    Ok(print(&text, ExitCode::SUCCESS))
}
