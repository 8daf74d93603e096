//! Tools of which the schema is what counts.

use mcp_runtime::prelude::*;

/// Repeats a value, which an HTTP client sends in the header `Mcp-Param-Value` as well.
#[mcp_tool(read_only)]
pub(crate) async fn test_custom_header(
    /// What to repeat.
    #[schemars(extend("x-mcp-header" = "Value"))]
    value: String,
) -> String {
    format!("The value is {value}")
}
