//! The program: the server as a command line.

use std::process::ExitCode;

use code_search::{Root, server};

#[tokio::main]
async fn main() -> ExitCode {
    match Root::from_env() {
        Ok(root) => server(root).run().await,
        Err(error) => {
            eprintln!(
                "error: the directory to search (`CODE_SEARCH_ROOT`, else the current one) cannot be read: {error}"
            );
            ExitCode::from(2)
        }
    }
}
