//! The server of the protocol tests as a process of its own.

mod tools;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let (server, gate) = tools::server();
    // Nobody can open the gate from outside; calls of `hold` go on for a moment, then end by themselves.
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
            gate.release(gate.running());
        }
    });
    server.max_message_size(64 * 1024).serve_stdio().await
}
