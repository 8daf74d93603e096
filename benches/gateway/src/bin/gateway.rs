//! A gateway before the server whose program is the argument.

use std::process::Command;

use mcp_runtime::{
    Server,
    remote::{Mount, Remote},
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let program = std::env::args().nth(1).ok_or("no program")?;
    let behind = Mount::new(Remote::stdio(&Command::new(program))).without_prefix();
    Ok(Server::new("gateway", "0.1.0").mount("behind", behind).serve_stdio().await?)
}
