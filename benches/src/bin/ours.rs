//! The same server written with `mcp-runtime`.

#[path = "../tools/names.rs"]
mod names;
#[path = "../tools/ours.rs"]
mod tools;

use mcp_runtime::{Server, tools};

use self::tools::{echo, find_tools};

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let mut server = Server::new("bench", "0.1.0").tools(tools![echo]);
    if std::env::args().nth(1).as_deref() == Some("100") {
        server = server.tools(find_tools());
    }
    server.serve_stdio().await
}
