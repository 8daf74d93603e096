//! A server that offers the tools of another one, which it starts as a child process. The arguments are its command.

use std::process::Command;

use mcp_runtime::{
    Server,
    remote::{Mount, Remote},
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let mut command = Command::new(arguments.next().expect("the command of the server"));
    command.args(arguments);
    let gateway = Server::new("gateway", "0.1.0").mount("bench", Mount::new(Remote::stdio(&command)).without_prefix());
    gateway.serve_stdio().await
}
