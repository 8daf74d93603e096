//! `#[cfg]` before a tool of the list, in every place.

#![allow(unexpected_cfgs)]

use mcp_runtime::prelude::*;

/// Searches the notes.
#[mcp_tool]
async fn search() {}

/// Only where no such flag is.
#[cfg(not(flag))]
#[mcp_tool]
async fn there() {}

#[cfg(flag)]
/// Only where it is.
#[mcp_tool]
async fn absent() {}

fn main() {
    let names = |tools: Vec<Box<dyn mcp_runtime::Tool>>| {
        tools.iter().map(|tool| tool.definition().name().to_owned()).collect::<Vec<_>>()
    };
    let tools = tools![
        #[cfg(flag)]
        absent,
        search,
        #[cfg(not(flag))]
        there,
        #[cfg(flag)]
        missing::altogether,
    ];
    assert_eq!(names(tools), ["search", "there"]);
    assert!(tools![#[cfg(flag)] absent].is_empty());
}
