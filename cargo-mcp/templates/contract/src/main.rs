//! Serves the application at the address of the first argument, or at `127.0.0.1:8080`.

use std::error::Error;

use app::api;
use mcp_runtime::Server;
use service::Items;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "127.0.0.1:8080".to_owned());
    let contract = api::contract(Items::default())?;
    let service = Server::new("app", env!("CARGO_PKG_VERSION"))
        .contract(&contract)
        .build()?;
    let app = app::app(&contract, &service)?;
    let listener = TcpListener::bind(&address).await?;
    let address = listener.local_addr()?;
    for (name, path) in [
        ("MCP", "/mcp"),
        ("JSON-RPC", "/rpc"),
        ("OpenRPC", "/openrpc.json"),
        ("REST", "/items"),
        ("Docs", "/docs"),
    ] {
        println!("{name}: http://{address}{path}");
    }
    service.serve_app(listener, app, ctrl_c()).await;
    Ok(())
}

async fn ctrl_c() {
    // If signals cannot be handled, Ctrl-C ends the process at once.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}
