//! A server's program that has its own flags and its own command.

use std::{ffi::OsString, process::ExitCode};

use clap::{Parser, Subcommand};
use mcp_runtime::prelude::*;

/// Greets people.
#[derive(Parser)]
#[command(name = "cli_flags", disable_help_subcommand = true, after_help = Server::COMMANDS_HELP)]
struct Arguments {
    /// How people are greeted.
    #[arg(long, default_value = "Hello")]
    greeting: String,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Print the greeting.
    Greeting,
    #[command(external_subcommand)]
    Server(Vec<OsString>),
}

struct Greeting(String);

/// Greet somebody by name.
#[mcp_tool(read_only)]
async fn greet(greeting: &Greeting, name: String) -> String {
    format!("{}, {name}!", greeting.0)
}

/// Ask for a greeting.
#[mcp_prompt]
async fn ask(greeting: &Greeting, loud: bool) -> String {
    format!("Say {}{}", greeting.0, if loud { "!" } else { "." })
}

/// The greeting.
#[mcp_resource("greeter://greeting")]
async fn text(greeting: &Greeting) -> String {
    greeting.0.clone()
}

#[tokio::main(flavor = "current_thread")]
#[allow(clippy::print_stdout, reason = "no client is served then")]
async fn main() -> ExitCode {
    let Arguments { greeting, command } = Arguments::parse();
    let arguments = match command {
        Some(Command::Greeting) => {
            println!("{greeting}");
            return ExitCode::SUCCESS;
        }
        Some(Command::Server(arguments)) => arguments,
        None => Vec::new(),
    };
    Server::new("greeter", "1.2.3")
        .state(Greeting(greeting))
        .tools(tools![greet])
        .prompts(prompts![ask])
        .resources(resources![text])
        .run_with(arguments)
        .await
}
