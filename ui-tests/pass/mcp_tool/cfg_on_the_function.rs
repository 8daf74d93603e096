//! A tool that is configured out is not there at all, whichever attribute comes first.

use mcp_runtime::prelude::*;

#[cfg(any())]
/// Not compiled.
#[mcp_tool]
async fn search(unknown: Unknown) {}

/// Not compiled.
#[mcp_tool]
#[cfg(any())]
async fn search(unknown: Unknown) {}

/// Searches the notes.
#[mcp_tool]
#[cfg(all())]
async fn search() {}

/// Counts the notes.
#[mcp_tool]
#[cfg_attr(all(), doc = "Everything.")]
async fn count() {}

fn main() {
    let _ = tools![search, count];
}
