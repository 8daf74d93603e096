use mcp_runtime::{contract, prelude::Server};

struct Lamp;

/// Controls a lamp.
#[contract(resource = "lamp")]
impl Lamp {
    /// Turns the lamp on.
    async fn on(&self) {}
}

fn main() {
    let _ = Server::new("home", "1.0.0").tool(Lamp).build();
}
