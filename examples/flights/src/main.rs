//! The program: the server as a command line.

use std::process::ExitCode;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match flights::server().await {
        Ok(server) => server.run().await,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
