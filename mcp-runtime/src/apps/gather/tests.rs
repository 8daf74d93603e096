//! How mounted tools are listed.

use std::sync::Arc;

use tokio::runtime::Handle;

use crate::{
    Server, Service,
    engine::{
        call::{Call, message_sink::DropNotifications, request::Peer, running::CallFuture},
        tool::{Arguments, ArgumentsError, Tool, ToolDefinition},
    },
    serve::{
        remote::Remote,
        server::connection::{Connection, Received},
    },
    wire::protocol::frame::Frame,
};

struct NamedTool(String);

impl Tool for NamedTool {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition::new(self.0.clone(), "A tool.")
    }

    fn call(&self, _: Call, _: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        unreachable!("the tests do not call it")
    }
}

/// Returns a server that mounts this many servers with this many tools each.
fn gateway(servers: usize, tools: usize) -> Service {
    let mut gateway = Server::new("gateway", "1");
    for number in 0..servers {
        let tools = (0..tools).map(|at| NamedTool(format!("tool_{at}")));
        let server = tools.fold(Server::new("mounted", "1"), Server::tool).build().unwrap();
        gateway = gateway.mount(format!("s{number}"), Remote::service(&server));
    }
    gateway.build().unwrap()
}

/// Returns the reply to a request for this page of the tools.
async fn listed(connection: &Connection, page: usize) -> Frame {
    let cursor = if page == 0 { String::new() } else { format!(r#""cursor":"page-{page}","#) };
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    let request = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{cursor}{meta}}}}}"#);
    if let Some(loading) = connection.loading_for(request.as_bytes()) {
        loading.await;
    }
    match connection.receive(request.as_bytes()) {
        Received::Reply(frame) => frame,
        _ => panic!("a list is answered at once"),
    }
}

/// The clients share the text of each page, however many servers it comes from.
#[tokio::test]
async fn a_page_of_mounted_tools_is_written_once_for_all_clients() {
    let service = gateway(20, 50);
    let connect = || Connection::new(&service, Peer::new(Arc::new(DropNotifications), None), Handle::current());
    let (first, second) = (connect(), connect());
    let mut tools = 0;
    for page in 0..4 {
        let [one, other] = [listed(&first, page).await, listed(&second, page).await];
        let [one, other] = [one, other].map(|frame| frame.tail.expect("a page is shared"));
        assert!(Arc::ptr_eq(&one, &other), "page {page} is copied");
        tools += String::from_utf8_lossy(&one).matches(r#""name":"s"#).count();
    }
    assert_eq!(tools, 1000);
}
