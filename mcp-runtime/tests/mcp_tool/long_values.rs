//! Errors repeat only a part of a long value, with its length.

use std::collections::BTreeMap;

use mcp_runtime::{Server, prelude::*};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Debug, Deserialize, JsonSchema)]
enum Colour {
    Red,
    Green,
}

/// Takes one of each.
#[mcp_tool]
async fn paint(
    colour: Option<Colour>,
    count: Option<u8>,
    #[schemars(length(max = 3))] name: Option<String>,
    list: Option<Vec<u8>>,
    map: Option<BTreeMap<String, u8>>,
    when: Option<std::net::IpAddr>,
) -> String {
    format!("{colour:?} {count:?} {name:?} {list:?} {map:?} {when:?}")
}

/// Sends a request with these params, and returns the error. It is the error of a call or of a request.
async fn refused(method: &str, params: &str) -> String {
    let service = Server::new("test", "1.0.0").tools(tools![paint]).build().unwrap();
    let mut client = service.memory();
    let initialize = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1.0.0" }
    });
    client.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize }).to_string()).await;
    client.receive().await.unwrap();
    client.send(&format!(r#"{{"jsonrpc":"2.0","id":2,"method":"{method}","params":{params}}}"#)).await;
    let reply = client.receive().await.unwrap();
    assert!(reply.contains("\"isError\":true") || reply.contains("\"error\""), "{reply}");
    reply
}

#[tokio::test]
async fn no_error_repeats_a_long_name_or_value() {
    let long = "é".repeat(5000);
    let list = format!("[{}1]", "1,".repeat(4999));
    let map = format!("{{{}}}", (0..5000).map(|at| format!("\"é{at}\":1")).collect::<Vec<_>>().join(","));
    for (arguments, length) in [
        (format!(r#"{{"{long}":1}}"#), "(5000 characters)"),
        (format!(r#"{{"colour":"{long}"}}"#), "(5000 characters)"),
        (format!(r#"{{"count":"{long}"}}"#), "(5000 characters)"),
        (format!(r#"{{"count":{list}}}"#), "(5000 items)"),
        (format!(r#"{{"count":{map}}}"#), "(5000 properties)"),
        (format!(r#"{{"name":"{long}"}}"#), "(5000 characters)"),
        (format!(r#"{{"map":{{"{long}":"x"}}}}"#), "(5000 characters)"),
        (format!(r#"{{"list":[1,"{long}"]}}"#), "(5000 characters)"),
        (format!(r#"{{"when":"{long}"}}"#), "(5000 characters)"),
    ] {
        let reply = refused("tools/call", &format!(r#"{{"name":"paint","arguments":{arguments}}}"#)).await;
        assert!(reply.len() < 1000, "{} bytes for {:.60}: {reply:.2000}", reply.len(), arguments);
        assert!(reply.contains(length), "{length} for {arguments:.60}: {reply}");
    }
    for (method, params) in
        [("tools/call", format!(r#"{{"name":"{long}"}}"#)), (&*format!("x/{long}"), "{}".to_owned())]
    {
        let reply = refused(method, &params).await;
        assert!(reply.len() < 1000 && reply.contains("characters)"), "{reply}");
    }
}
