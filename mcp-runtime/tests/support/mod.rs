//! What several modules share, and a small client that lists a tool or calls it once.

#![allow(clippy::needless_pass_by_value, reason = "`json!` makes values")]

pub(crate) mod directory;
pub(crate) mod log;
pub(crate) mod own_process;
pub(crate) mod panics;
#[cfg(unix)]
#[allow(dead_code, reason = "the tests in `src` use the rest")]
pub(crate) mod postgres_server;
#[cfg(unix)]
pub(crate) mod redis_server;
pub(crate) mod remote_servers;
pub(crate) mod shared_ledger;
pub(crate) mod slow_run_store;
pub(crate) mod stores;

use mcp_runtime::{Server, Tool};
use serde_json::{Value, json};

type Tools = Vec<Box<dyn Tool>>;

/// Returns the first tool of the published list.
pub(crate) fn list(tools: Tools) -> Value {
    request(server(), tools, "tools/list", &json!({}))["tools"][0].take()
}

/// Calls the first tool and returns the result.
pub(crate) fn call(tools: Tools, arguments: Value) -> Value {
    call_with(server(), tools, arguments)
}

/// Calls the first tool on this server and returns the result.
pub(crate) fn call_with(server: Server, tools: Tools, arguments: Value) -> Value {
    let name = tools[0].definition().name().to_owned();
    request(server, tools, "tools/call", &json!({ "name": name, "arguments": arguments }))
}

/// Calls the first tool with arguments as JSON text, because a `Value` does not preserve `1e3`.
pub(crate) fn call_raw(tools: Tools, arguments: &str) -> Value {
    let name = tools[0].definition().name().to_owned();
    let message = format!(
        r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":"{name}","arguments":{arguments}}}}}"#
    );
    exchange(server(), tools, message)
}

fn server() -> Server {
    Server::new("test", "1.0.0")
}

fn request(server: Server, tools: Tools, method: &str, params: &Value) -> Value {
    exchange(server, tools, json!({ "jsonrpc": "2.0", "id": 2, "method": method, "params": params }).to_string())
}

fn exchange(server: Server, tools: Tools, message: String) -> Value {
    let service = server.tools(tools).build().expect("the server is complete");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let mut client = service.memory();
        let initialize = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1.0.0" }
        });
        let initialize = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize });
        for message in [initialize.to_string(), message] {
            client.send(&message).await;
        }
        client.receive().await.expect("the handshake");
        let reply = client.receive().await.expect("a reply");
        let mut reply: Value = serde_json::from_str(&reply).expect("JSON");
        reply.get_mut("result").map(Value::take).unwrap_or_else(|| panic!("an error: {reply}"))
    })
}
