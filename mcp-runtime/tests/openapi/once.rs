//! A call that is rebuilt does not send a request twice that has effects.

use mcp_runtime::{Result, Server, prelude::*, testing::Client};
use serde_json::json;

use super::{api, part, requests, server};

#[elicits]
enum Order {
    Confirm { confirmed: bool },
}

/// Adds a part, and asks.
#[mcp_tool(replayable)]
async fn order(ctx: &Ctx<Order>, name: String) -> Result<String> {
    let added = ctx.call("add_part", json!({ "name": name })).await?;
    let read = ctx.call("get_part", json!({ "name": name })).await?;
    ctx.elicit::<Confirm>("Is it right?").strict().await?;
    Ok(format!("{} {}", added.is_error(), read.is_error()))
}

#[tokio::test]
async fn a_rebuilt_call_sends_no_request_again() {
    let server = server(part()).await;
    let tools = Server::new("parts", "1.0.0").tools(api(&server.uri())).tools(tools![order]);
    let mut client = Client::modern(&tools.build().unwrap()).rebuilding();
    let called = client.call("order", json!({ "name": "bolt" })).accept(Confirm { confirmed: true }).await;
    assert_eq!(called.text(), "false false");
    let methods: Vec<_> = requests(&server).await.iter().map(|request| request.method.to_string()).collect();
    assert_eq!(methods, ["POST", "GET"]);
}
