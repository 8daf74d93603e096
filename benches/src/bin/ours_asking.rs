//! The server with the tools of `mcp-runtime` that wait or ask. It is built twice, once without sealed states and once
//! with them (`benches/http`). With a second argument, it resumes calls of other instances.

#[path = "../tools/asking.rs"]
mod asking;
#[path = "../tools/often.rs"]
mod often;
#[path = "../tools/waiting.rs"]
mod waiting;

use mcp_runtime::{Server, store::Once, tools};

use self::{
    asking::{HandOver, confirm},
    often::ConfirmOften,
    waiting::nap,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let once = if std::env::args().len() > 2 { Once::PerInstance } else { Once::PerLedger };
    let server = Server::new("bench", "0.1.0").tools(tools![confirm, nap]).tool(HandOver).tool(ConfirmOften);
    server.once(once).serve_stdio().await
}
