//! Serves the application at the address of the first argument, or at `127.0.0.1:8080`.

use std::error::Error;

use app::api;
use service::Items;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8080".to_owned());
    let app = app::app(&api::contract(Items::default())?)?;
    let listener = TcpListener::bind(&address).await?;
    let address = listener.local_addr()?;
    for (name, path) in
        [("MCP", "/mcp"), ("JSON-RPC", "/rpc"), ("OpenRPC", "/openrpc.json"), ("REST", "/items"), ("Docs", "/docs")]
    {
        println!("{name}: http://{address}{path}");
    }
    axum::serve(listener, app).with_graceful_shutdown(ctrl_c()).await?;
    Ok(())
}

async fn ctrl_c() {
    // Without a signal handler the program ends at once, which is right too.
    let _ = tokio::signal::ctrl_c().await;
}
