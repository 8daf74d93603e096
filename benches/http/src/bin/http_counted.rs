//! The server written with `mcp-runtime`, with an allocator that counts bytes. Run it with `http_counted ADDRESS`. Its
//! tool `held` returns how many bytes are allocated.

#[path = "../until_told.rs"]
mod until_told;

use mcp_runtime::{Server, mcp_tool, tools};
use peak_alloc::PeakAlloc;

use self::until_told::until_told;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = std::env::args().nth(1).ok_or("no address")?;
    Server::new("bench", "0.1.0").tools(tools![echo, held]).build()?.serve_http(address, until_told()).await?;
    Ok(())
}

/// Give the text back.
#[mcp_tool]
async fn echo(
    /// The text to give back.
    text: String,
) -> String {
    text
}

/// Say how many bytes are held.
#[mcp_tool]
async fn held(
    /// Why that is asked.
    text: String,
) -> String {
    format!("{} B {text}", ALLOCATOR.current_usage())
}
