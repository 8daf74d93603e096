//! The description may come from a file or a macro.

use mcp_runtime::prelude::*;

macro_rules! shared {
    () => {
        "Reads the whole file."
    };
}

#[doc = include_str!("docs_from_elsewhere.rs")]
#[mcp_tool]
async fn file() {}

/// Reads.
#[doc = shared!()]
#[mcp_tool]
async fn macro_call(#[doc = shared!()] path: String) {
    drop(path);
}

#[mcp_tool(description = include_str!("docs_from_elsewhere.rs"))]
async fn key() {}

fn main() {
    let _ = tools![file, macro_call, key];
}
