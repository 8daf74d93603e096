//! The program's own commands.

mod call;
mod complete;
#[cfg(feature = "dev")]
mod dev;
mod help;
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

pub(crate) use self::help::COMMANDS_HELP;
use super::{
    check, doctor,
    exit::{CommandEnd, refuse, serve},
    install::{self, ProgramSettings},
    items::{
        item::{ItemKind, PROMPTS, TOOLS},
        page::page,
        table::table,
    },
    operator::{OperatorSettings, configure},
    package,
    setting_options::{self, option},
    terminal::{self, layout::wrap, print, tell},
};
use crate::{
    engine::{call::operation::Operation, tool::registry::Registry},
    serve::{
        server::{Server, Service},
        settings::{SettingDefinition, SettingSources, Settings as _, TABLE},
    },
};

/// The commands that only show what the server has. They need no values of settings.
const SHOWING: [&str; 8] = ["tools", "prompts", "manifest", "install", "check", "doctor", "remote", "help"];

/// What the command line learns before the server is built: the settings of the operator, unless the command needs none
/// or they are wrong.
pub(crate) struct Prepared(Option<OperatorSettings>);

/// Returns the end of the command `dev`, if the arguments name it. The command needs no server: it must also run if the
/// server cannot be built.
#[cfg(feature = "dev")]
pub(crate) fn dev_of(
    server: &Server,
    arguments: &[OsString],
) -> Option<Pin<Box<dyn Future<Output = ExitCode> + Send>>> {
    let settings = server.setting_definitions();
    let command = with_settings(with_commands(Command::new(""), [true; 4]), Some(&settings));
    let matches = command.try_get_matches_from(arguments).ok()?;
    let (_, of_dev) = matches.subcommand().filter(|(name, _)| *name == "dev")?;
    let secrets = secrets(&matches, &settings);
    let options = dev::options(arguments, setting_options::given(&matches, &settings), secrets, of_dev);
    Some(Box::pin(async { dev::act(options).await.unwrap_or_else(|code| code) }))
}

/// Returns the values of secret settings, of the program and of the server itself.
#[cfg(feature = "dev")]
fn secrets(matches: &ArgMatches, settings: &[SettingDefinition]) -> Vec<String> {
    let mut sources = sources(matches, settings);
    // A program whose settings file cannot be read reports that itself.
    let _ = sources.open_file(setting_options::config_of(matches).as_deref());
    let own = sources.secrets(settings, None);
    own.into_iter().chain(sources.secrets(OperatorSettings::definitions(), Some(TABLE))).collect()
}

/// Gives the server the values of its settings on the command line, and the settings of the operator.
///
/// The future is boxed, as that of [`act`].
pub(crate) fn prepare<'a>(
    server: Server,
    arguments: &'a [OsString],
) -> Pin<Box<dyn Future<Output = (Server, Prepared)> + Send + 'a>> {
    Box::pin(async move {
        let settings = server.setting_definitions();
        let command = with_settings(with_commands(Command::new(""), [true; 4]), Some(&settings));
        let matches = command.try_get_matches_from(arguments);
        // After the server is built, the command is parsed again, and the error is shown with the names of the server.
        let Ok(matches) = matches else {
            return (server.without_warnings().without_setting_values(), Prepared(None));
        };
        let command = matches.subcommand_name();
        // A user who calls a tool cannot change its schema.
        let is_served = command.is_none_or(|command| command == "stdio" || command == "http");
        let server = if is_served { server } else { server.without_warnings() };
        if command.is_some_and(|command| SHOWING.contains(&command)) {
            return (server.without_setting_values(), Prepared(None));
        }
        let file = setting_options::config_of(&matches);
        let (server, operator) = configure(server, sources(&matches, &settings), file.as_deref()).await;
        (server, Prepared(operator))
    })
}

/// Returns the sources of settings, without the settings file.
fn sources(matches: &ArgMatches, settings: &[SettingDefinition]) -> SettingSources {
    let mut flags = Default::default();
    let below = matches.subcommand().map(|(_, matches)| matches);
    for matches in [Some(matches), below].into_iter().flatten() {
        setting_options::collect(&mut flags, matches, settings);
        setting_options::collect(&mut flags, matches, OperatorSettings::definitions());
    }
    SettingSources { flags: Some(flags), ..SettingSources::default() }
}

/// Runs a command. The parameter `arguments` contains the name of the command.
///
/// The future is boxed. Otherwise a program would contain a copy of the future's code for each place that awaits it.
pub(crate) fn act(
    service: Service,
    arguments: Vec<OsString>,
    prepared: Option<Prepared>,
) -> Pin<Box<dyn Future<Output = ExitCode> + Send>> {
    Box::pin(async { run(service, arguments, prepared).await.unwrap_or_else(|code| code) })
}

async fn run(service: Service, arguments: Vec<OsString>, prepared: Option<Prepared>) -> CommandEnd {
    let program = program(&arguments, &service);
    // A service that is already built reads no settings of its program.
    let settings = prepared.is_some().then(|| service.setting_definitions());
    let command = || command(&service, &program, settings.as_deref());
    let matches = command().try_get_matches_from(&arguments);
    let matches = matches.map_err(|error| terminal::unmatched(&error))?;
    let registry = &service.0.registry.read().clone();
    match matches.subcommand() {
        Some(("tools", matches)) => list(registry, &TOOLS, &program, matches),
        Some(("prompts", matches)) => list(registry, &PROMPTS, &program, matches),
        Some(("resources", matches)) => resources::act(&service, &program, matches).await,
        Some(("read", matches)) => read::act(&service, &program, matches).await,
        Some(("complete", matches)) => complete::act(&service, matches).await,
        Some(("store", _)) => store::migrate(&service).await,
        Some(("install", of_install)) => {
            let definitions = service.setting_definitions();
            let options = setting_options::given(&matches, &definitions);
            let settings = ProgramSettings { definitions, has_options: settings.is_some(), options };
            install::act(&service, &program, &arguments, &settings, of_install)
        }
        Some(("check", of_check)) => check::act(&service, address_of(&matches)?.as_deref(), of_check),
        Some(("doctor", of_doctor)) => {
            let sources = sources(&matches, &service.setting_definitions());
            doctor::act(&service, &arguments, sources, of_doctor).await
        }
        #[cfg(feature = "http")]
        Some(("http", _)) => {
            let operator = prepared.and_then(|Prepared(operator)| operator);
            http::serve(&service, &operator.map_or_else(|| operator_of(&matches), Ok)?).await
        }
        #[cfg(feature = "remote")]
        Some(("remote", matches)) => super::remote::act(matches).await,
        #[cfg(feature = "dev")]
        Some(("dev", of_dev)) => {
            let settings = service.setting_definitions();
            let (given, secrets) = (setting_options::given(&matches, &settings), secrets(&matches, &settings));
            dev::act(dev::options(&arguments, given, secrets, of_dev)).await
        }
        Some(("help", _)) => Ok(print(&command().render_help().to_string(), ExitCode::SUCCESS)),
        Some(("manifest", matches)) => package::act(&service, &program, matches),
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

/// Reads the settings of the operator for a service that was built without them.
#[cfg(feature = "http")]
fn operator_of(matches: &ArgMatches) -> Result<OperatorSettings, ExitCode> {
    let mut sources = sources(matches, &[]);
    sources.open_file(setting_options::config_of(matches).as_deref()).map_err(refuse)?;
    OperatorSettings::of(&sources).map_err(refuse)
}

/// Returns where the command `http` listens, as the operator has set it.
fn address_of(matches: &ArgMatches) -> Result<Option<String>, ExitCode> {
    #[cfg(feature = "http")]
    return Ok(Some(operator_of(matches)?.http_addr));
    #[cfg(not(feature = "http"))]
    {
        let _ = matches;
        Ok(None)
    }
}

/// Returns the name that the program was started with, without directories.
fn program(arguments: &[OsString], service: &Service) -> String {
    let name = arguments.first().and_then(|path| Path::new(path).file_name());
    let name = name.filter(|name| !name.is_empty());
    name.map_or_else(|| service.0.settings.identity.name.clone(), |name| name.to_string_lossy().into_owned())
}

/// Returns the whole command line. It has options for `settings`, unless it is `None`.
fn command(service: &Service, program: &str, settings: Option<&[SettingDefinition]>) -> Command {
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
    let root = Command::new(identity.name.clone())
        .bin_name(program)
        .version(identity.version.clone())
        .about(wrap(&about, terminal::width()).join("\n"));
    let shown = [has_prompts, has_resources, completes, store::migration(service).is_some()];
    with_settings(with_commands(root, shown), settings)
}

/// Adds the options of settings, before and behind the command.
fn with_settings(root: Command, settings: Option<&[SettingDefinition]>) -> Command {
    let Some(settings) = settings else { return root };
    let everywhere = |setting: &&SettingDefinition| !setting.name().starts_with("http_") && !setting.is_list();
    let own = OperatorSettings::definitions().iter().filter(everywhere).filter_map(option);
    let own = [setting_options::config()].into_iter().chain(own).map(|option| option.global(true));
    let of_program = || settings.iter().filter_map(option).map(|option| option.help_heading("Settings"));
    // Behind `install`, `--name` and `--url` are its own, and so is `--port` behind `dev`.
    let root = root.args(own).args(of_program()).mut_subcommands(|command| match command.get_name() {
        "install" | "dev" => command,
        "stdio" => command.args(of_program().map(setting_options::of_several_values)),
        _ => command.args(of_program()),
    });
    match setting_options::variables(settings) {
        Some(variables) => root.after_help(variables),
        None => root,
    }
}

/// Adds the commands. Each `shown` says whether help shows a command: those of prompts, of resources, `complete` and
/// `store`.
fn with_commands(root: Command, shown: [bool; 4]) -> Command {
    let [has_prompts, has_resources, completes, has_tables] = shown;
    let command = root
        .disable_help_subcommand(true)
        .subcommand(
            Command::new("stdio").about("Serve the MCP client at standard input and output (the default command)"),
        )
        .subcommand(list_command(&TOOLS))
        .subcommand(package::command())
        .subcommand(call_command(&TOOLS))
        .subcommand(list_command(&PROMPTS).hide(!has_prompts))
        .subcommand(call_command(&PROMPTS).hide(!has_prompts))
        .subcommand(resources::command().hide(!has_resources))
        .subcommand(read::command().hide(!has_resources))
        .subcommand(complete::command().hide(!completes))
        .subcommand(store::command().hide(!has_tables))
        .subcommand(install::command())
        .subcommand(check::command())
        .subcommand(doctor::command());
    #[cfg(feature = "http")]
    let command = command.subcommand(http::command());
    #[cfg(feature = "remote")]
    let command = command.subcommand(super::remote::command());
    #[cfg(feature = "dev")]
    let command = command.subcommand(dev::command());
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
