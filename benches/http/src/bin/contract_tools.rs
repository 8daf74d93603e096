//! A tool, and a method of a contract with the same types, on standard input and output.

#[path = "../echo.rs"]
mod echo;

use mcp_runtime::{Json, Server, contract::Contract, mcp_tool, tools};

use self::echo::{Echo, Echoes};

/// Returns the text.
#[mcp_tool]
async fn echo_create(#[params] input: Echo) -> Json<Echo> {
    Json(input)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let contract = Contract::builder("bench").resource(Echoes.into_resource()).build()?;
    let server = Server::new("bench", "0.1.0").tools(tools![echo_create]).contract(&contract);
    Ok(server.serve_stdio().await?)
}
