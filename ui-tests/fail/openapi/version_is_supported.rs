//! The document is of a version that is supported.

fn main() {
    let _ = mcp_runtime::openapi!("files/old.json");
}
