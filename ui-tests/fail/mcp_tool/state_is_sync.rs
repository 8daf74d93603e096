use mcp_runtime::prelude::*;

use std::cell::Cell;

/// Counts its calls.
#[mcp_tool]
async fn count(counter: &Cell<u64>) {
    counter.set(counter.get() + 1);
}

fn main() {}
