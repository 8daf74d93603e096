//! `pipelines stdio` serves the client that started it, `pipelines http` serves many, and `pipelines call pipelines …`
//! runs an action at the command line.

use std::{ffi::OsString, path::PathBuf, process::ExitCode, time::Duration};

use clap::{Parser, Subcommand};
use mcp_runtime::{
    prelude::*,
    runs::{Runs, SqliteRunStore},
};
use pipelines::{DataFolder, Pipelines};

/// Runs data pipelines.
#[derive(Parser)]
#[command(version, disable_help_subcommand = true, after_help = Server::COMMANDS_HELP)]
struct Arguments {
    /// The folder with the data, its pipelines in `pipelines` and their reports in `reports`.
    #[arg(long, env = "PIPELINES_DATA", default_value = "data")]
    data: PathBuf,
    /// The file that keeps the runs, for all server processes of this machine. Without it they end with the process.
    #[arg(long, env = "PIPELINES_RUNS")]
    runs: Option<PathBuf>,
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
    let Arguments { data, runs, command } = Arguments::parse();
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
    let mut actions = Pipelines::new(folder).into_actions();
    if let Some(file) = runs {
        match SqliteRunStore::open(&file) {
            // After two heartbeats the runs of a process that was killed can be restarted.
            Ok(store) => actions = actions.runs(Runs::new(store).heartbeat(Duration::from_secs(1))),
            Err(error) => {
                eprintln!("error: the runs cannot be stored (`--runs`, `PIPELINES_RUNS`): {error}");
                return ExitCode::from(2);
            }
        }
    }
    let arguments = command.map_or_else(Vec::new, |Command::Server(arguments)| arguments);
    Server::new("pipelines", env!("CARGO_PKG_VERSION")).title("Data pipelines").tool(actions).run_with(arguments).await
}
