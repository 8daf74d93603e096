use mcp_runtime::prelude::*;

use std::borrow::Cow;

/// Shows the greeting.
#[mcp_tool]
async fn greeting(text: &Cow<'_, str>) {
    let _ = text;
}

fn main() {}
