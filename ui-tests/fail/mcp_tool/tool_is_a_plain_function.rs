use mcp_runtime::prelude::*;

/// Runs a query.
#[mcp_tool]
async unsafe extern "C" fn query(sql: String) {
    drop(sql);
}

fn main() {}
