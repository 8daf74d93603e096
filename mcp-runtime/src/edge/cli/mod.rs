//! `Server::run`: a command line for the author's program.

#[cfg(feature = "cli")]
mod answers;
#[cfg(feature = "cli")]
mod call;
#[cfg(feature = "cli")]
mod check;
#[cfg(feature = "cli")]
mod commands;
#[cfg(feature = "cli")]
mod doctor;
mod exit;
#[cfg(feature = "cli")]
mod install;
#[cfg(feature = "cli")]
mod items;
#[cfg(feature = "settings")]
mod operator;
#[cfg(feature = "cli")]
mod package;
#[cfg(all(feature = "cli", feature = "remote"))]
mod remote;
#[cfg(feature = "cli")]
mod setting_options;
#[cfg(not(feature = "cli"))]
mod stdio_only;
#[cfg(feature = "cli")]
mod terminal;

use std::{ffi::OsString, iter, process::ExitCode};

#[cfg(feature = "cli")]
use self::commands::{COMMANDS_HELP, act, prepare};
use self::exit::refuse;
#[cfg(not(feature = "cli"))]
use self::stdio_only::{COMMANDS_HELP, act, prepare};
use crate::serve::server::{Server, Service};

impl Server {
    /// Builds the server and runs the command in the program's arguments. This is the whole `main` of most servers.
    ///
    /// ```no_run
    /// use mcp_runtime::prelude::*;
    /// use std::process::ExitCode;
    ///
    /// /// Greets a person by name.
    /// #[mcp_tool(read_only)]
    /// async fn greet(name: String) -> String {
    ///     format!("Hello, {name}!")
    /// }
    ///
    /// #[tokio::main]
    /// async fn main() -> ExitCode {
    ///     Server::new("greeter", env!("CARGO_PKG_VERSION")).tools(tools![greet]).run().await
    /// }
    /// ```
    ///
    /// Without an argument, or with `stdio`, the program serves the client on standard input and output. The feature
    /// `cli` adds more commands:
    ///
    /// | command | what it does |
    /// | --- | --- |
    /// | `stdio` | serves the client on standard input and output |
    /// | `http --addr 127.0.0.1:8080` | serves clients over HTTP at `/mcp` (feature `http`) until Ctrl-C |
    /// | `tools` | lists the tools; `tools greet` shows the details of one |
    /// | `manifest` | prints [`Service::manifest`] as JSON |
    /// | `manifest mcpb --pack app.mcpb` | writes a bundle, which users install with one click: see `guide::shipping` |
    /// | `manifest server-json --cargo app` | prints the document that publishes the server in the MCP registry |
    /// | `call greet --name World` | calls a tool: each parameter is an option |
    /// | `call greet '{"name": "World"}'` | the same, with the arguments as JSON; `-` reads them from standard input |
    /// | `prompts` | lists the prompts; `prompts letter` shows the details of one |
    /// | `prompt letter --to Ada` | gets a prompt; at a terminal, the user is asked for missing arguments |
    /// | `resources` | lists the resources and their templates |
    /// | `read docs://logo > logo.png` | reads a resource: its text, or its bytes if standard output is not a terminal |
    /// | `complete letter to A` | completes an argument of a prompt or a variable of a template; `--filled tone=formal` gives the value of another argument or variable |
    /// | `store migrate` | creates or changes the tables of the [store](Self::store), if it has tables |
    /// | `check` | finds what hosts would stumble over: see `guide::checking` |
    /// | `doctor` | connects to the server as hosts do, and shows what is slow, wrong or missing |
    /// | `dev` | builds and runs this program again while you change it, and shows a page on which you can try its tools (feature `dev`, for development builds) |
    /// | `install cursor` | adds the server to the configuration of a host, and `install --remove cursor` removes it: see `guide::installing` |
    ///
    /// The settings of the program (`Server::settings`) are options before or behind the command, and so are
    /// `--config FILE` and `--log-level LEVEL`. The operator configures the server itself with these options, with
    /// environment variables and with the settings file; see the module `settings`. Commands that only show what the
    /// server has need no values of settings.
    ///
    /// `prompt` prints the messages, each below its role. If the only message is from the user, the command prints only
    /// the text, so `prompt letter --to Ada | llm` works. `complete` prints one value per line.
    ///
    /// A call at the terminal behaves like a call from a client of the newest revision. Standard error shows progress
    /// as a bar, and log messages as lines. Standard output gets only the result; `--json` prints the result as JSON.
    /// Ctrl-C cancels the call. A second Ctrl-C ends the program.
    ///
    /// The tool's questions to the user appear on standard error, if standard input and standard error are a terminal.
    /// For each field of a form, the terminal shows the title, help and default, and validates the input. Esc declines
    /// or cancels the form. `--answer KEY=VALUE` answers a question in advance, with or without a terminal;
    /// `tools greet` and `call greet --help` show the keys of a tool and an example of each answer:
    ///
    /// | answer | meaning |
    /// | --- | --- |
    /// | `--answer 'pick_flight={"flight_id": "TP1"}'` | the fields of the form |
    /// | `--answer confirm=true` | the only field of the form, or its only required field |
    /// | `--answer confirm=decline`, `--answer confirm=cancel` | the user declines or cancels |
    /// | `--answer connect=accept` | the user opens the page, whose URL is shown |
    /// | `--answer elicit_url=accept` | the user opens the page, for a question with any key |
    /// | `--answer 'sample=Paris is.'` | the reply of a model, to a question with any key |
    /// | `--answer sample=decline` | no reply: the tool continues without one, or fails |
    /// | `--answer confirm=true --answer confirm=decline` | the answers to the first and the second `confirm` |
    /// | `--answer 'confirm#2=true'` | the answer to the second `confirm`, in any position |
    ///
    /// Each answer is used once. If an answer is missing and there is no terminal, the call fails with an error that
    /// names the question and shows how to answer it.
    ///
    /// A call that begins a run of an action (feature `actions`) waits for the end of the run, because the run ends with
    /// the process that executes it. On Unix, `--detach` leaves the run to a second process in the background, and prints its id. This needs
    /// a store that outlives the process. The questions of such a run wait for a call of `status` with `"wait": true`.
    ///
    /// A tool that [samples](crate::Ctx::sample) uses the model of [`Server::sampling_provider`], if the server has
    /// one. Otherwise the user at the terminal reads the conversation and writes the reply instead of a model, on one
    /// or more lines.
    ///
    /// The exit code is 0 on success, 1 if the call fails, and 130 if the call was cancelled. It is 2 if the server
    /// cannot be built, if standard input or output cannot be used, or if an argument of the command or of the tool is
    /// invalid.
    ///
    /// # Panics
    /// Panics outside of a tokio runtime with a timer; `#[tokio::main]` creates a suitable one.
    pub async fn run(self) -> ExitCode {
        // Collected, because the iterator is not `Send` and the future must be.
        let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
        self.run_with(arguments).await
    }

    /// Builds the server and runs the command in `arguments`, as [`run`](Self::run) does with the program's arguments.
    /// Use this method in a program that has its own flags or commands.
    ///
    /// The arguments begin with the command; an empty list means `stdio`. With `clap`, an external subcommand collects
    /// the arguments, and [`COMMANDS_HELP`](Self::COMMANDS_HELP) can be appended to your help:
    ///
    /// ```no_run
    /// use std::{ffi::OsString, path::PathBuf, process::ExitCode};
    ///
    /// use clap::{Parser, Subcommand};
    /// use mcp_runtime::prelude::*;
    ///
    /// struct Notes {
    ///     folder: PathBuf,
    /// }
    ///
    /// /// Reads a note.
    /// #[mcp_tool(read_only)]
    /// async fn read(notes: &Notes, name: String) -> std::io::Result<String> {
    ///     std::fs::read_to_string(notes.folder.join(name))
    /// }
    ///
    /// #[derive(Parser)]
    /// #[command(disable_help_subcommand = true, after_help = Server::COMMANDS_HELP)]
    /// struct Arguments {
    ///     /// The folder of the notes.
    ///     #[arg(long, default_value = ".")]
    ///     folder: PathBuf,
    ///     #[command(subcommand)]
    ///     command: Option<Command>,
    /// }
    ///
    /// #[derive(Subcommand)]
    /// enum Command {
    ///     /// Count the notes.
    ///     Count,
    ///     #[command(external_subcommand)]
    ///     Server(Vec<OsString>),
    /// }
    ///
    /// #[tokio::main]
    /// async fn main() -> ExitCode {
    ///     let Arguments { folder, command } = Arguments::parse();
    ///     let arguments = match command {
    ///         Some(Command::Count) => {
    ///             println!("{}", std::fs::read_dir(folder).into_iter().flatten().count());
    ///             return ExitCode::SUCCESS;
    ///         }
    ///         Some(Command::Server(arguments)) => arguments,
    ///         None => Vec::new(),
    ///     };
    ///     let server = Server::new("notes", env!("CARGO_PKG_VERSION")).state(Notes { folder }).tools(tools![read]);
    ///     server.run_with(arguments).await
    /// }
    /// ```
    ///
    /// `notes --folder ~/notes call read --name todo` then calls the tool. The program's own flags must come before the
    /// command; all arguments after the command belong to the server. A program that has flags but no commands can
    /// collect the server's arguments with `#[arg(trailing_var_arg = true, allow_hyphen_values = true)] arguments:
    /// Vec<OsString>`. Other parsers work too. Without the feature `cli`, the only command is `stdio`, as with `run`.
    ///
    /// # Panics
    /// Panics outside of a tokio runtime with a timer, as [`run`](Self::run) does.
    pub async fn run_with<A: Into<OsString>>(self, arguments: impl IntoIterator<Item = A>) -> ExitCode {
        let program = std::env::args_os().next().unwrap_or_default();
        let arguments: Vec<OsString> = iter::once(program).chain(arguments.into_iter().map(Into::into)).collect();
        #[cfg(feature = "dev")]
        {
            crate::edge::dev::reported::begin();
            if let Some(dev) = commands::dev_of(&self, &arguments) {
                return dev.await;
            }
        }
        let (server, prepared) = prepare(self, &arguments).await;
        match server.build() {
            Ok(service) => act(service, arguments, Some(prepared)).await,
            Err(error) => refuse(error.to_string()),
        }
    }

    /// The commands that [`run_with`](Self::run_with) accepts, one per line, for the help of a program with its own
    /// flags.
    pub const COMMANDS_HELP: &str = COMMANDS_HELP;
}

impl Service {
    /// Runs the command in the program's arguments, as [`Server::run`] does. Use this method in a program that needs
    /// the service before serving starts, for example to change the tools of the service:
    ///
    /// ```no_run
    /// use std::{error::Error, process::ExitCode};
    ///
    /// use mcp_runtime::prelude::*;
    ///
    /// #[tokio::main]
    /// async fn main() -> Result<ExitCode, Box<dyn Error>> {
    ///     let service = Server::new("greeter", env!("CARGO_PKG_VERSION")).dynamic_tools().build()?;
    ///     let tools = service.tools();
    ///     std::thread::spawn(move || eprintln!("{:?}", tools.names()));
    ///     Ok(service.run().await)
    /// }
    /// ```
    ///
    /// # Panics
    /// Panics outside of a tokio runtime with a timer, as [`Server::run`] does.
    pub async fn run(self) -> ExitCode {
        // Collected, because the iterator is not `Send` and the future must be.
        let arguments: Vec<OsString> = std::env::args_os().collect();
        #[cfg(feature = "dev")]
        {
            use crate::{base::development, edge::dev::reported};
            reported::begin();
            // The settings of the operator, which have the level of the log, are not read.
            let _ = development::is_on() && reported::begin_spans(None);
        }
        act(self, arguments, None).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{
        call::running::CallFuture,
        tool::{Arguments, ArgumentsError, StateNeed, Tool, ToolDefinition},
    };

    struct Needy(&'static str);

    impl Tool for Needy {
        fn definition(&self) -> ToolDefinition {
            ToolDefinition::new(self.0, "Takes a number from the server.").needs_state(StateNeed::of::<u64>())
        }

        fn call(&self, _: crate::Call, _: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
            unreachable!("the server is never built")
        }
    }

    #[test]
    fn the_future_of_run_is_send() {
        fn spawnable(_: impl Future<Output = ExitCode> + Send + 'static) {}
        spawnable(Server::new("s", "1").run());
    }

    #[test]
    fn reports_one_mistake_on_one_line() {
        let error = Server::new("s", "1").tool(Needy("roll")).build().unwrap_err();
        assert_eq!(
            error.to_string(),
            "the server cannot be built: tool `roll`: takes `&u64`, but the server has no state of this type; add \
             `.state(…)` with a `u64`"
        );
    }

    #[test]
    fn reports_several_mistakes_on_one_line_each() {
        let error = Server::new("s", "1").tool(Needy("roll")).tool(Needy("toss")).build().unwrap_err();
        let lines: Vec<_> = error.to_string().lines().map(ToOwned::to_owned).collect();
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert_eq!(lines[0], "the server cannot be built:");
        assert!(lines[1].starts_with("  - tool `roll`: takes `&u64`"), "{lines:?}");
        assert!(lines[2].starts_with("  - tool `toss`: takes `&u64`"), "{lines:?}");
    }
}
