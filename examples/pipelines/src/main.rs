//! `pipelines stdio` serves the client that started it, `pipelines http` serves many, and `pipelines call pipelines …`
//! runs an action at the command line.

use std::{ffi::OsString, path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};
use mcp_runtime::prelude::*;
use pipelines::{DataFolder, Pipelines};

/// Runs data pipelines.
#[derive(Parser)]
#[command(version, disable_help_subcommand = true, after_help = Server::COMMANDS_HELP)]
struct Arguments {
    /// The folder with the data, its pipelines in `pipelines` and their reports in `reports`.
    #[arg(long, env = "PIPELINES_DATA", default_value = "data")]
    data: PathBuf,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    #[command(external_subcommand)]
    Server(Vec<OsString>),
}

#[tokio::main]
async fn main() -> ExitCode {
    let Arguments { data, command } = Arguments::parse();
    let folder = match DataFolder::open(&data) {
        Ok(folder) => folder,
        Err(error) => {
            eprintln!(
                "error: the data folder `{}` (`--data`, `PIPELINES_DATA`) cannot be read: {error}",
                data.display()
            );
            return ExitCode::from(2);
        }
    };
    let actions = Pipelines::new(folder).into_actions();
    let arguments = command.map_or_else(Vec::new, |Command::Server(arguments)| arguments);
    Server::new("pipelines", env!("CARGO_PKG_VERSION")).title("Data pipelines").tool(actions).run_with(arguments).await
}
