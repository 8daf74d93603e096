use mcp_runtime::prelude::*;

/// Echoes a value.
#[mcp_tool]
async fn echo(value: impl Into<String>) -> String {
    value.into()
}

fn main() {}
