//! The crate can have another name.
#![deny(warnings)]

use mcp_runtime as rt;

mod tracker {
    super::rt::remote_tools!("list.json");
}

fn main() {
    assert_eq!(<tracker::Search as rt::remote::RemoteTool>::NAME, "search");
}
