//! The server of the protocol tests as a separate process. By default, it has all tools. `probe few` has few tools.
//! `probe output` and `probe output-shared` have tools that write a lot, or write to standard output directly. `probe patient`
//! lets calls continue for very long after the end of its input.

mod model;
#[expect(dead_code, reason = "what only the tests in memory use")]
mod tools;
mod writers;

use std::{process::ExitCode, time::Duration};

use mcp_runtime::tools;

#[tokio::main]
async fn main() -> ExitCode {
    let other = match std::env::args().nth(1).as_deref() {
        Some("few") => Some(tools::few()),
        Some("patient") => Some(tools::server().0.shutdown_grace(Duration::from_secs(600))),
        Some("output") => Some(writers::server()),
        Some("output-shared") => Some(writers::server().redirect_stdout(false)),
        _ => None,
    };
    if let Some(server) = other {
        let served = server.serve_stdio().await;
        return served.map_or_else(
            |error| {
                eprintln!("{error}");
                ExitCode::FAILURE
            },
            |()| ExitCode::SUCCESS,
        );
    }
    // Nobody opens the gate: a call of `hold` lasts until it is cancelled.
    let server = tools::server().0.tools(tools![model::look, model::choose, model::find_out]);
    server.max_message_size(64 * 1024).run().await
}
