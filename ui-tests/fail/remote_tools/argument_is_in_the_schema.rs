//! An argument that the tool no longer has is an error where it is used.

mod tracker {
    mcp_runtime::remote_tools!("files/fine.json");
}

fn main() {
    let _ = tracker::Search { page: Some(2), ..tracker::Search::new("tea") };
}
