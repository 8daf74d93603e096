//! The operations of each path are in the document.

fn main() {
    let _ = mcp_runtime::openapi!("files/paths.json", except("getPet"));
}
