//! The program: the server, with the model in the environment variable `MCP_MODEL`.

use std::process::ExitCode;

use mcp_runtime::providers::Model;
use play_ttt::server;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let server = match Model::from_env() {
        Ok(Some(model)) => server().sampling_provider(model),
        Ok(None) => server(),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    server.run().await
}
