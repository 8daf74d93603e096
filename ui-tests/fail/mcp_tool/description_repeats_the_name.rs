//! The compiler warns, and this crate denies the warning.
#![deny(deprecated)]

use mcp_runtime::prelude::*;

/// Searches files.
#[mcp_tool]
async fn search_files() {}

/// Has a doc comment for people.
#[mcp_tool(description = "Runs the search.")]
async fn search() {}

/// Counts.
#[mcp_tool(allow(repeated_description))]
async fn count() {}

fn main() {
    let _ = tools![search_files, search, count];
}
