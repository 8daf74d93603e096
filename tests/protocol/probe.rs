//! The server of the protocol tests as a process of its own: with all tools, or, as `probe few`, with few.

#[expect(dead_code, reason = "what only the tests in memory use")]
mod tools;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let server = match std::env::args().nth(1).as_deref() {
        Some("few") => tools::few(),
        // Nobody opens the gate: a call of `hold` lasts until it is cancelled.
        _ => tools::server().0.max_message_size(64 * 1024),
    };
    server.serve_stdio().await
}
