//! A server whose lists and resources change when a client says so, as a separate process. It lists two items per page.

use std::{
    future::pending,
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use mcp_runtime::{
    Server,
    prelude::*,
    prompt::PromptList,
    resource::ResourceList,
    tool::{DynamicTool, ToolChanges, ToolList},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// How many reads of `test://endless` run.
#[derive(Clone, Default)]
struct Reads(Arc<AtomicUsize>);

/// One read that runs.
struct Read(Reads);

impl Drop for Read {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Adds tools, all in one change.
#[mcp_tool]
async fn add_tools(tools: &ToolList, names: Vec<String>) -> mcp_runtime::Result<String> {
    let added = |tools: &mut ToolChanges| {
        for name in names {
            let schema = json!({ "type": "object" });
            tools.add(DynamicTool::from_schema(name, "Does nothing.", schema, async |_: Ctx, _: Value| "nothing"));
        }
    };
    tools.edit(added)?;
    Ok("added".to_owned())
}

/// A list besides that of the tools.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum List {
    Prompts,
    Resources,
}

/// Removes a prompt or a resource.
#[mcp_tool]
async fn remove(prompts: &PromptList, resources: &ResourceList, list: List, name: String) -> &'static str {
    let was_there = match list {
        List::Prompts => prompts.remove(&name),
        List::Resources => resources.remove(&name),
    };
    if was_there { "removed" } else { "not there" }
}

/// Tells the clients that a resource has changed.
#[mcp_tool]
async fn update(resources: &ResourceList, uri: String, times: u32) -> String {
    (0..times).for_each(|_| resources.updated(&uri));
    format!("updated {times} times")
}

/// Counts the reads of `test://endless` that run.
#[mcp_tool(read_only)]
async fn reads(reads: &Reads) -> Text<usize> {
    Text(reads.0.load(Ordering::SeqCst))
}

/// A resource that cannot be read to its end.
#[mcp_resource("test://endless")]
async fn endless(reads: &Reads) -> &'static str {
    reads.0.fetch_add(1, Ordering::SeqCst);
    let _read = Read(reads.clone());
    pending().await
}

/// The first page.
#[mcp_resource("test://pages/1")]
async fn first_page() -> &'static str {
    "first"
}

/// The second page.
#[mcp_resource("test://pages/2")]
async fn second_page() -> &'static str {
    "second"
}

/// A day.
#[mcp_resource("test://days/{day}")]
async fn day(day: u32) -> String {
    day.to_string()
}

/// A month.
#[mcp_resource("test://months/{month}")]
async fn month(month: u32) -> String {
    month.to_string()
}

/// A year.
#[mcp_resource("test://years/{year}")]
async fn year(year: u32) -> String {
    year.to_string()
}

/// Says hello.
#[mcp_prompt]
async fn hello() -> &'static str {
    "hello"
}

/// Says thanks.
#[mcp_prompt]
async fn thanks() -> &'static str {
    "thanks"
}

/// Says goodbye.
#[mcp_prompt]
async fn goodbye() -> &'static str {
    "goodbye"
}

#[tokio::main]
async fn main() -> ExitCode {
    Server::new("changing", "1.0.0")
        .page_size(2)
        .state(Reads::default())
        .dynamic_tools()
        .dynamic_prompts()
        .dynamic_resources()
        .tools(tools![add_tools, remove, update, reads])
        .resources(resources![endless, first_page, second_page, day, month, year])
        .prompts(prompts![hello, thanks, goodbye])
        .run()
        .await
}
