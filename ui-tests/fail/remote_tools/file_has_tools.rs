//! The file has a list of tools.

mod tracker {
    mcp_runtime::remote_tools!("files/no_tools.json");
}

fn main() {}
