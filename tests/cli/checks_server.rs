//! A server that breaks each rule of the command `check` once, except for those about files. With `PUBLISHED_TOOLS`, it
//! has the tools of that file instead. With `SKILLS_FOLDER`, it also has the skills of that folder.

#![allow(deprecated, reason = "the compiler warns of some of the rules, too")]

use std::{collections::HashMap, process::ExitCode};

use mcp_runtime::{
    Tool,
    prelude::*,
    skill::Skills,
    tool::{DynamicTool, ToolDefinition},
};
use serde_json::{Value, json};

#[derive(Settings)]
#[setting(prefix = "APP")]
struct AppSettings {
    /// The limit.
    #[setting(default = 3)]
    limit: u8,
    /// How many results a page has.
    #[setting(default = 10)]
    page: u8,
}

/// Find what was hidden in the house.
#[mcp_tool(name = "hidden.find")]
async fn find_hidden() -> &'static str {
    "a key"
}

/// Hide something in the house, with labels for later.
#[mcp_tool]
async fn hide(
    /// The labels, by their kinds.
    labels: HashMap<String, String>,
) -> String {
    format!("{} labels", labels.len())
}

/// Search.
#[mcp_tool]
async fn search() -> &'static str {
    "nothing"
}

/// Open a door of the house.
#[mcp_tool]
async fn open(
    settings: &AppSettings,
    /// Which door.
    door: Door,
) -> String {
    format!("{} {} {}", door.number, settings.limit, settings.page)
}

/// A door.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Door {
    number: u8,
}

/// Close all doors of the house.
#[mcp_tool(allow(undescribed_parameter))]
async fn close(slowly: bool) -> String {
    slowly.to_string()
}

/// Write a letter to the owner of the house.
#[mcp_prompt(description = "Write a letter to the owner of the house, and say what is broken. It is long because \
    0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 \
    0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 \
    0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 \
    0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 \
    0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 \
    0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 \
    0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 \
    0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 \
    0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789")]
async fn letter(
    /// What is broken.
    what: String,
) -> String {
    format!("The {what} is broken.")
}

async fn nothing(_: Ctx, _: Value) -> &'static str {
    ""
}

/// A tool whose schema is published with definitions.
fn with_definitions() -> impl Tool {
    let schema = json!({
        "type": "object",
        "properties": { "room": { "$ref": "#/$defs/Room", "description": "The room." } },
        "$defs": { "Room": { "type": "string" } },
    });
    DynamicTool::new(ToolDefinition::new("clean", "Cleans a room of the house.").input_schema_verbatim(schema), nothing)
}

/// More tools than a server should have, with long descriptions.
fn more_tools(count: usize) -> impl Iterator<Item = Box<dyn Tool>> {
    (0..count).map(|number| {
        let description = format!("Paints wall {number} of the house. {}", "Use it when it rains. ".repeat(45));
        Box::new(DynamicTool::new(ToolDefinition::new(format!("paint_{number}"), description), nothing))
            as Box<dyn Tool>
    })
}

/// The tools of a file, as `tools/list` lists them.
fn published(path: &str) -> Vec<Box<dyn Tool>> {
    let tools: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let tool = |tool: Value| {
        let text = |name: &str| tool[name].as_str().unwrap().to_owned();
        let definition = ToolDefinition::new(text("name"), text("description"));
        Box::new(DynamicTool::new(definition.input_schema(tool["inputSchema"].clone()), nothing)) as Box<dyn Tool>
    };
    tools.into_iter().map(tool).collect()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    if let Ok(path) = std::env::var("PUBLISHED_TOOLS") {
        return Server::new("published", "1.0.0").tools(published(&path)).run().await;
    }
    let more = std::env::var("MORE_TOOLS").map_or(39, |count| count.parse().unwrap());
    let server = Server::new("house", "1.0.0").settings::<AppSettings>();
    let server = server.tools(tools![find_hidden, hide, search, open, close]).tool(with_definitions());
    let server = server.tools(more_tools(more)).prompts(prompts![letter]).skills(skills!["skills/hiding"]);
    match std::env::var("SKILLS_FOLDER") {
        Ok(folder) => server.skills(Skills::directory(folder).prefix("more")).run().await,
        Err(_) => server.run().await,
    }
}
