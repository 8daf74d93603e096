//! The server with the tasks and the runs of `mcp-runtime`, on standard input and output. They need a feature that the
//! programs of `mcp-benches` do not have.

#[path = "../../../src/tools/tasks.rs"]
mod tasks;

use mcp_runtime::{Server, tools};

use self::tasks::{Jobs, echo_later, hold};

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let jobs = Jobs.into_actions();
    Server::new("bench", "0.1.0").tools(tools![echo_later, hold]).tool(jobs).serve_stdio().await
}
