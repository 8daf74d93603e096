use mcp_runtime::prelude::*;

use std::borrow::Cow;

/// Joins texts.
#[mcp_tool]
async fn join(texts: Vec<&str>, separator: Cow<'_, str>) -> String {
    texts.join(&separator)
}

fn main() {}
