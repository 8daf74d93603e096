//! `in_every_mode!` awaits the test itself.

use mcp_runtime::{in_every_mode, prelude::*};

/// Greets a person.
#[mcp_tool]
async fn greet() -> &'static str {
    "hello"
}

async fn greets() {
    in_every_mode!(|mode| {
        let mut client = mode.client(|| Server::new("s", "1").tools(tools![greet]));
        assert_eq!(client.call("greet", ()).await.text(), "hello");
    })
    .await;
}

fn main() {
    let _ = greets();
}
