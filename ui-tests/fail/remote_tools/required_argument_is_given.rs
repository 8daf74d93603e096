//! What a tool requires is given.

mod tracker {
    mcp_runtime::remote_tools!("files/fine.json");
}

fn main() {
    let _ = tracker::Search::new();
}
