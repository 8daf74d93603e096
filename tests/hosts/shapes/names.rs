//! Parameters whose names have a meaning in schemas, or are renamed.

use mcp_runtime::prelude::*;

/// Takes parameters that are named as the words of JSON Schema.
#[mcp_tool(read_only)]
#[allow(clippy::too_many_arguments)]
pub(crate) async fn keywords(
    #[serde(rename = "type")] _kind: String,
    /// The items.
    _items: Vec<String>,
    _properties: Option<Vec<String>>,
    _required: bool,
    _title: String,
    _description: Option<String>,
    _format: String,
    #[serde(rename = "enum")] _choice: Option<String>,
    _default: Option<u8>,
    _definitions: Option<String>,
    _nullable: Option<bool>,
    #[serde(rename = "anyOf")] _any_of: Option<String>,
) {
}

/// Takes renamed parameters.
#[mcp_tool(read_only)]
pub(crate) async fn renamed(
    #[serde(rename = "pageSize")] _page_size: u32,
    #[serde(rename = "sort-by")] _sort_by: Option<String>,
    #[serde(alias = "q")] _query: String,
    #[serde(rename = "UPPER_CASE")] _upper_case: Option<u8>,
) {
}
