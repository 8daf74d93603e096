//! `todo http` serves all endpoints on one port; `todo stdio` serves tools to the client that started it.

use std::{error::Error, path::PathBuf};

use clap::{Parser, Subcommand};
use mcp_runtime::Server;
use todo::{Store, app, contract};
use tokio::net::TcpListener;

/// The todos of a team, for MCP clients, JSON-RPC and REST.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Default: `stdio`.
    #[command(subcommand)]
    command: Option<Command>,
    /// The file of the database; `:memory:` keeps nothing.
    #[arg(long, global = true, env = "TODO_DB", default_value = "todo.db")]
    db: PathBuf,
}

#[derive(Subcommand)]
enum Command {
    /// Serves all endpoints over HTTP.
    Http {
        /// The address; port 0 chooses a free port.
        #[arg(long, default_value = "127.0.0.1:8080")]
        addr: String,
    },
    /// Serves tools to an MCP client over standard input and output.
    Stdio,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let contract = contract(&Store::open(&arguments.db)?)?;
    let service = Server::new("todo", env!("CARGO_PKG_VERSION")).contract(&contract).build()?;
    match arguments.command.unwrap_or(Command::Stdio) {
        Command::Http { addr } => {
            let listener = TcpListener::bind(&addr).await?;
            let address = listener.local_addr()?;
            for (endpoint, path) in ENDPOINTS {
                eprintln!("{endpoint:>9} http://{address}{path}");
            }
            let app = app(&contract, &service)?;
            service.serve_app(listener, app, ctrl_c()).await;
        }
        Command::Stdio => service.serve_stdio().await?,
    }
    Ok(())
}

const ENDPOINTS: [(&str, &str); 7] = [
    ("MCP", "/mcp"),
    ("JSON-RPC", "/rpc"),
    ("REST", "/todos"),
    ("REST", "/users"),
    ("OpenAPI", "/openapi.json"),
    ("OpenRPC", "/openrpc.json"),
    ("docs", "/docs"),
];

async fn ctrl_c() {
    // If signals cannot be handled, Ctrl-C ends the process at once.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}
