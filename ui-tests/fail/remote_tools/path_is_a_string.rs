//! The path is a string.

mod tracker {
    mcp_runtime::remote_tools!(files);
}

fn main() {}
