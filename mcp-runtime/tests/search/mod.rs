//! A server whose clients search its tools.

mod calls;
mod found;
mod listed;
mod measured;

use mcp_runtime::{Server, Tool, prelude::*, search::Search, testing::Client, tool::DynamicTool};
use serde_json::{Value, json};

/// Creates a tool that answers with its name.
fn named(name: &str, description: &str) -> impl Tool + use<> {
    let (name, text) = (name.to_owned(), name.to_owned());
    let schema = json!({ "type": "object", "properties": { "limit": { "type": "integer", "minimum": 1 } } });
    let run = move |_: Ctx, _: Value| {
        let text = text.clone();
        async move { text }
    };
    DynamicTool::from_schema(name, description.to_owned(), schema, run)
}

/// Creates a server with a few tools that are searched.
fn office() -> Server {
    Server::new("office", "1")
        .tool(named("create_issue", "Creates an issue in a project."))
        .tool(named("list_issues", "Lists the issues of a project, the newest first."))
        .tool(named("send_invoice", "Sends an invoice to a customer."))
        .tool(named("current_user", "Returns who is logged in."))
}

/// Returns the names of the tools in the list of this client.
async fn names(client: &mut Client) -> Vec<String> {
    client.tools().await.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

/// Returns the names that a search returns.
async fn found(client: &mut Client, query: &str) -> Vec<String> {
    let found = client.call("search_tools", json!({ "query": query })).await.structured::<Value>();
    found["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

/// Returns the arguments of `call_tool`.
fn of(name: &str, arguments: Value) -> Value {
    let mut call = json!({ "name": name });
    call["arguments"] = arguments;
    call
}

fn searchable() -> Server {
    office().searchable(Search::new().pin("current_user"))
}
