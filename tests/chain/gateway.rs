//! A gateway for the chain tests: it offers the servers of the JSON object `CHAIN_SERVERS`. A name stands for a URL or for
//! the words of a command. The name `""` mounts a server without prefix.

use std::{collections::BTreeMap, env, error::Error, process::ExitCode};

use mcp_runtime::{
    prelude::*,
    remote::{Mount, Remote},
    store,
};
use serde::Deserialize;

/// How a server is reached.
#[derive(Deserialize)]
#[serde(untagged)]
enum Place {
    Url(String),
    Command(Vec<String>),
}

#[tokio::main]
async fn main() -> ExitCode {
    match gateway().await {
        Ok(server) => server.run().await,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn gateway() -> Result<Server, Box<dyn Error>> {
    let places: BTreeMap<String, Place> = serde_json::from_str(&env::var("CHAIN_SERVERS")?)?;
    let mut server = Server::new("gateway", env!("CARGO_PKG_VERSION"));
    if let Ok(location) = env::var("MCP_LEDGER") {
        server = server.store(store::open(&location).await?);
    }
    for (name, place) in places {
        let remote = match place {
            Place::Url(url) => Remote::http(url),
            Place::Command(words) => {
                let (program, arguments) = words.split_first().ok_or("a command needs a program")?;
                let mut command = std::process::Command::new(program);
                command.args(arguments);
                Remote::stdio(command)
            }
        };
        server = if name.is_empty() {
            server.mount("server", Mount::new(remote).without_prefix())
        } else {
            server.mount(name, remote)
        };
    }
    Ok(server)
}
