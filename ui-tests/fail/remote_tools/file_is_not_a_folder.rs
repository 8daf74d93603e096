//! The path is that of a file.

mod tracker {
    mcp_runtime::remote_tools!("files");
}

fn main() {}
