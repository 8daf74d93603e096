//! The server of the protocol tests as a process of its own.

mod tools;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    // Nobody opens the gate: a call of `hold` lasts until it is cancelled.
    let (server, _gate) = tools::server();
    server.max_message_size(64 * 1024).serve_stdio().await
}
