//! The same server written with `mcp-runtime`.

#[path = "../tools/names.rs"]
mod names;
#[path = "../tools/order.rs"]
mod order;
#[path = "../tools/ours.rs"]
mod tools;

use mcp_runtime::{Server, tools};

use self::tools::{echo, find_tools};

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let server = Server::new("bench", "0.1.0");
    let server = match std::env::args().nth(1).as_deref() {
        Some("100") => server.tools(tools![echo]).tools(find_tools()),
        Some("order") => server.tools(tools![order::order]),
        _ => server.tools(tools![echo]),
    };
    server.serve_stdio().await
}
