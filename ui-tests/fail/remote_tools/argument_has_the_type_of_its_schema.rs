//! An argument has the type of its schema.

mod tracker {
    mcp_runtime::remote_tools!("files/fine.json");
}

fn main() {
    let _ = tracker::Search { limit: Some("ten"), ..tracker::Search::new("tea") };
}
