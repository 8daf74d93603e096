//! The program: the fixture, at the terminal and for clients.

use std::process::ExitCode;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    conformance::server().run().await
}
