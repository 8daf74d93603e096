//! A tool that implements `Tool` by hand says which forms it shows.

use mcp_runtime::{
    Call, Tool,
    call::CallFuture,
    plugin::{Plugin, PluginHost},
    prelude::*,
    tool::{Arguments, ArgumentsError, ToolDefinition},
};

struct Query;

impl Tool for Query {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition::new("query", "Queries.")
    }

    fn call(&self, _: Call, _: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        Ok(Box::pin(async { Ok(mcp_runtime::CallToolResult::default()) }))
    }
}

fn main() {
    let _ = PluginHost::builder(Server::new("s", "1")).plugin(Plugin::new(Query));
}
