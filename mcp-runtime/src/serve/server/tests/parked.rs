//! A call that waits for its client ends when the connection closes, although no task owns the call.

use std::sync::Arc;

use tokio::runtime::Handle;

use crate::{
    Server, Service,
    engine::call::{MessageSink, request::Peer},
    prelude::*,
    serve::server::connection::Connection,
    wire::protocol::frame::Frame,
};

/// What the tool holds while it waits.
#[derive(Clone)]
struct Held(Arc<()>);

#[elicits]
enum Question {
    Ask { go: bool },
}

/// Waits for its user.
#[mcp_tool]
async fn wait(ctx: &Ctx<Question>, held: &Held) -> Result<String, ToolError> {
    let held = held.clone();
    let answer = ctx.elicit::<Ask>("Go?").strict().await?;
    drop(held.0);
    Ok(answer.go.to_string())
}

struct Nowhere;

impl MessageSink for Nowhere {
    fn send(&self, _: Frame) {}
}

fn connect(service: &Service) -> Connection {
    let connection = Connection::new(service, Peer::new(Arc::new(Nowhere), None), Handle::current());
    for message in [
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",
            "capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}"#,
    ] {
        connection.receive(message.replace('\n', " ").as_bytes());
    }
    connection
}

#[tokio::test]
async fn a_dropped_connection_drops_the_calls_that_wait_for_its_client() {
    let held = Arc::new(());
    let service = Server::new("test", "1").state(Held(Arc::clone(&held))).tools(tools![wait]).build().unwrap();
    // The server holds one clone.
    let connection = connect(&service);
    assert_eq!(Arc::strong_count(&held), 3);
    drop(connection);
    assert_eq!(Arc::strong_count(&held), 2);

    let connection = connect(&service);
    assert_eq!(Arc::strong_count(&held), 3);
    connection.abort_parked();
    assert_eq!(Arc::strong_count(&held), 2);
}
