//! The server with the tools of `mcp-runtime` that wait or ask. It is built twice, once without sealed states and once
//! with them (`benches/http`).

#[path = "../tools/asking.rs"]
mod asking;
#[path = "../tools/often.rs"]
mod often;
#[path = "../tools/waiting.rs"]
mod waiting;

use mcp_runtime::{Server, tools};

use self::{
    asking::{HandOver, confirm},
    often::ConfirmOften,
    waiting::nap,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    Server::new("bench", "0.1.0").tools(tools![confirm, nap]).tool(HandOver).tool(ConfirmOften).serve_stdio().await
}
