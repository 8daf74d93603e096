//! The server written with `mcp-runtime`. Its arguments are `ADDRESS TOOLS`.

#[path = "../../src/tools/asking.rs"]
mod asking;
#[path = "../../src/tools/names.rs"]
mod names;
#[path = "../../src/tools/ours.rs"]
mod simple;
#[path = "../../src/tools/waiting.rs"]
mod waiting;

use mcp_runtime::{Server, http::HttpLimits, mcp_tool, tools};

use self::{
    asking::{HandOver, confirm},
    simple::{echo, find_tools},
    waiting::nap,
};
use crate::until_told::until_told;

pub(crate) async fn serve() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().ok_or("no address")?;
    // One address stands for many clients here.
    let server = Server::new("bench", "0.1.0")
        .max_open_calls_per_client(usize::MAX)
        .max_open_bytes_per_client(usize::MAX)
        .http_limits(HttpLimits::default().max_sessions_per_address(usize::MAX));
    let server = match arguments.next().as_deref() {
        Some("100") => server.tools(tools![echo]).tools(find_tools()),
        // Callers without a token lack the scope.
        Some("filtered") => server.tools(tools![echo, shut_down]).tools(find_tools()).hide_unauthorized(true),
        Some("asking") => server.tools(tools![confirm, nap]).tool(HandOver),
        _ => server.tools(tools![echo]),
    };
    server.build()?.serve_http(address, until_told()).await?;
    Ok(())
}

/// Shut down this server.
#[mcp_tool(scopes("admin"))]
async fn shut_down() {}
