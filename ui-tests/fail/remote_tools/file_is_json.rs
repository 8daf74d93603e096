//! The file is JSON.

mod tracker {
    mcp_runtime::remote_tools!("files/not_json.json");
}

fn main() {}
