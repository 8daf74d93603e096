//! The server of the protocol tests as a process of its own: with all tools, or, as `probe few`, with few.

mod model;
#[expect(dead_code, reason = "what only the tests in memory use")]
mod tools;

use std::process::ExitCode;

use mcp_runtime::tools;

#[tokio::main]
async fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("few") {
        let served = tools::few().serve_stdio().await;
        return served.map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    // Nobody opens the gate: a call of `hold` lasts until it is cancelled.
    let server = tools::server().0.tools(tools![model::look, model::choose, model::find_out]);
    server.max_message_size(64 * 1024).run().await
}
