//! Serves the page at the address of the first argument, or at `127.0.0.1:8080`.

mod app;
mod assistant;
mod booking;

use std::error::Error;

use mcp_runtime::providers::Model;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "127.0.0.1:8080".to_owned());
    let app = app::app(Model::from_env()?).await?;
    let listener = TcpListener::bind(&address).await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, app).await?;
    Ok(())
}
