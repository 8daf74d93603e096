//! The file exists.

mod tracker {
    mcp_runtime::remote_tools!("files/missing.json");
}

fn main() {}
