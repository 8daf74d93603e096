//! The program: the server as a command line.

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    code_search::server().run().await
}
