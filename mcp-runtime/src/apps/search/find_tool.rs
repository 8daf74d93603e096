//! The tool `search_tools`: returns the tools that match a query.

use std::{fmt::Write as _, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::{json, value::RawValue};

use super::{
    SEARCH_TOOLS,
    searchable::{Searchable, is_found, server_of},
    text::shortened,
};
use crate::{
    engine::{
        call::{Call, running::CallFuture},
        tool::{Arguments, ArgumentsError, Tool, ToolDefinition, registered::RegisteredTool},
    },
    serve::server::listing::Viewer,
    wire::protocol::{result::CallToolResult, view::ToolVisibility},
};

/// The number of tools that a search returns by default, and at most.
const DEFAULT_LIMIT: usize = 5;
const LARGEST_LIMIT: usize = 20;

/// The length to which descriptions are shortened, in bytes. A search for the name of a tool shows all of its description.
const LONGEST_DESCRIPTION: usize = 1024;

/// The tool `search_tools`.
pub(super) struct SearchTools {
    /// What the tools are about, in the author's words.
    pub(super) about: Option<String>,
}

#[derive(Deserialize)]
struct SearchArguments {
    query: String,
    #[serde(default)]
    limit: Option<usize>,
}

/// The structured content of a result.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FoundTools<'a> {
    tools: Vec<FoundTool<'a>>,
    /// The number of tools that the caller can find.
    total_tools: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FoundTool<'a> {
    name: &'a str,
    description: String,
    input_schema: &'a RawValue,
}

impl Tool for SearchTools {
    fn definition(&self) -> ToolDefinition {
        let about = self.about.as_ref().map(|about| format!(" The tools are about: {about}")).unwrap_or_default();
        let description = format!(
            "Finds tools of this server, which has more than it lists. Returns the name, the description and the input \
             schema of each. Call a found tool with `call_tool`.{about}"
        );
        ToolDefinition::new(SEARCH_TOOLS, description)
            .input_schema(json!({
                "type": "object",
                "properties": {
                    "query": {
                        "type": "string",
                        "description": "What the tool should do, such as `create an issue`, or its name.",
                    },
                    "limit": {
                        "type": "integer",
                        "minimum": 1,
                        "maximum": LARGEST_LIMIT,
                        "default": DEFAULT_LIMIT,
                        "description": "How many tools to return.",
                    },
                },
                "required": ["query"],
            }))
            .read_only(true)
            .open_world(false)
            .visibility(ToolVisibility::Model)
    }

    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        let SearchArguments { query, limit } = arguments.read()?;
        let found = search(&call, &query, limit.unwrap_or(DEFAULT_LIMIT).min(LARGEST_LIMIT));
        Ok(Box::pin(async move { Ok(found?) }))
    }
}

fn search(call: &Call, query: &str, limit: usize) -> serde_json::Result<CallToolResult> {
    let server = server_of(call);
    let indexed = Searchable::of(server).indexed(server);
    let (client, principal) = (call.0.client(), call.0.principal());
    let viewer = Viewer::new(server, &client, principal.as_ref(), call.0.is_remote);
    let sees = |tool: &Arc<RegisteredTool>| is_found(tool, &viewer);
    let ranked = indexed.index.rank(query).into_iter().map(|position| &indexed.tools[position]);
    let tools: Vec<_> = ranked.filter(|tool| sees(tool)).take(limit).map(|tool| FoundTool::new(tool, query)).collect();
    let total_tools = indexed.tools.iter().filter(|tool| sees(tool)).count();
    let found = FoundTools { tools, total_tools };
    Ok(CallToolResult::json(&found)?.text(found.text(query)))
}

impl<'a> FoundTool<'a> {
    fn new(tool: &'a RegisteredTool, query: &str) -> Self {
        let ToolDefinition { name, description, .. } = &tool.definition;
        let longest = if *name == query.trim() { usize::MAX } else { LONGEST_DESCRIPTION };
        Self { name, description: shortened(description, longest), input_schema: &tool.schema.published }
    }
}

impl FoundTools<'_> {
    /// Returns the text that the model reads.
    fn text(&self, query: &str) -> String {
        let Self { tools, total_tools } = self;
        if tools.is_empty() {
            return format!(
                "no tool matches `{}`; this server has {total_tools} tools to search. Try other words for what the tool \
                 does or works on, such as a verb and an object in English",
                shortened(query, 200)
            );
        }
        let mut text = format!("{} of {total_tools} tools, the best match first:", tools.len());
        for FoundTool { name, description, input_schema } in tools {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n\n`{name}`: {description}\nInput schema: {input_schema}");
        }
        text
    }
}
