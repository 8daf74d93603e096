//! All mistakes are reported: tools have names, which are distinct.

mod tracker {
    mcp_runtime::remote_tools!("files/mistakes.json");
}

fn main() {}
