//! `pipelines stdio` serves the client that started it, `pipelines http` serves many, and `pipelines call pipelines …`
//! runs an action at the command line.

use std::{ffi::OsString, path::PathBuf, process::ExitCode, time::Duration};

use clap::{Parser, Subcommand};
use mcp_runtime::{prelude::*, runs::Runs, store};
use pipelines::{DataFolder, Pipelines};

/// Runs data pipelines.
#[derive(Parser)]
#[command(version, disable_help_subcommand = true, after_help = Server::COMMANDS_HELP)]
struct Arguments {
    /// The folder with the data, its pipelines in `pipelines` and their reports in `reports`.
    #[arg(long, env = "PIPELINES_DATA", default_value = "data")]
    data: PathBuf,
    /// The store of the runs: a file, or `postgres://…` or `redis://…`. Without it, runs end with the process.
    #[arg(long, env = "PIPELINES_STORE", default_value = "memory", hide_default_value = true)]
    store: String,
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
    let Arguments { data, store: address, command } = Arguments::parse();
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
    let store = match store::open(&address).await {
        Ok(store) => store,
        Err(error) => {
            eprintln!("error: the runs cannot be stored (`--store`, `PIPELINES_STORE`): {error}");
            return ExitCode::from(2);
        }
    };
    // After two heartbeats the runs of a process that was killed can be restarted.
    let runs = Runs::default().heartbeat(Duration::from_secs(3));
    let actions = Pipelines::new(folder.clone()).into_actions().runs(runs);
    let arguments = command.map_or_else(Vec::new, |Command::Server(arguments)| arguments);
    let server = Server::new("pipelines", env!("CARGO_PKG_VERSION"))
        .title("Data pipelines")
        .store(store)
        .state(folder)
        .tool(actions)
        .tools(tools![pipelines::chart_rows]);
    server.run_with(arguments).await
}
