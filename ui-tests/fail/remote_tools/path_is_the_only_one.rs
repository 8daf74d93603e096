//! There is one file.

mod tracker {
    mcp_runtime::remote_tools!("files/fine.json", "files/fine.json");
}

fn main() {}
