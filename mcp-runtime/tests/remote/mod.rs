//! A tool calls tools of other servers.

mod servers;

use mcp_runtime::{
    CallToolResult, Result, in_every_mode,
    prelude::*,
    remote::Remote,
};
use serde_json::{Value, json};

use self::servers::{Kind, Started, YES};

/// Books a thing at another server, and then takes a note there.
#[mcp_tool(replayable)]
async fn plan(ctx: &Ctx, shop: &Remote, what: String) -> Result<String> {
    let booked = shop.call("book", json!({ "what": what })).within(ctx).await?;
    let noted = shop.call("note", json!({ "line": text(&booked) })).within(ctx).await?;
    Ok(format!("{} ({})", text(&booked), text(&noted)))
}

/// Calls any tool of another server.
#[mcp_tool(replayable)]
async fn forward(ctx: &Ctx, shop: &Remote, tool: String, arguments: Value) -> Result<CallToolResult> {
    shop.call(tool, arguments).within(ctx).await
}

fn text(result: &CallToolResult) -> &str {
    result.content()[0].as_text().unwrap_or_default()
}

fn planner(shop: &Remote) -> Server {
    Server::new("planner", "1").state(shop.clone()).tools(tools![plan, forward])
}

#[tokio::test]
async fn the_questions_of_another_server_are_those_of_the_call() {
    for kind in [Kind::Service, Kind::Http] {
        in_every_mode!(async |mode| {
            let shop = Started::new(kind).await;
            let mut client = mode.client(|| planner(&shop.remote));
            let reply = client.call("plan", json!({ "what": "room" })).accept(YES).await;
            assert_eq!(reply.text(), "room booked (11)", "{kind:?}");
            assert_eq!(shop.done.take(), ["hold room", "book room", "note room booked"], "{kind:?}");
        });
    }
}
