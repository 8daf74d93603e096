//! The document has operations.

fn main() {
    let _ = mcp_runtime::openapi!("files/empty.json");
}
