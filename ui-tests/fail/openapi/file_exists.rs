//! The file exists.

fn main() {
    let _ = mcp_runtime::openapi!("files/missing.json");
}
