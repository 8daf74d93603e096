//! The server of the protocol tests as a process of its own: with all tools, or, as `probe few`, with few.

#[expect(dead_code, reason = "what only the tests in memory use")]
mod tools;

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("few") {
        let served = tools::few().serve_stdio().await;
        return served.map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    // Nobody opens the gate: a call of `hold` lasts until it is cancelled.
    tools::server().0.max_message_size(64 * 1024).run().await
}
