//! A tool that implements `Tool` by hand says which forms it shows.

use mcp_runtime::{
    Arguments, ArgumentsError, Call, Calling, Tool, ToolDefinition,
    plugin::{Plugin, PluginHost},
    prelude::*,
};

struct Query;

impl Tool for Query {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition::new("query", "Queries.")
    }

    fn call(&self, _: Call, _: Arguments<'_>) -> Result<Calling, ArgumentsError> {
        Ok(Box::pin(async { Ok(mcp_runtime::CallToolResult::default()) }))
    }
}

fn main() {
    let _ = PluginHost::builder(Server::new("s", "1")).plugin(Plugin::new(Query));
}
