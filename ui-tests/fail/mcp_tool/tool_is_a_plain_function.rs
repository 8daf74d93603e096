use mcp_runtime::prelude::*;

/// Runs a query on the notes.
#[mcp_tool]
async unsafe extern "C" fn query(sql: String) {
    drop(sql);
}

fn main() {}
