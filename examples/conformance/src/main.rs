//! The program: serves the tools to clients and at the terminal.

use std::process::ExitCode;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    conformance::server().run().await
}
