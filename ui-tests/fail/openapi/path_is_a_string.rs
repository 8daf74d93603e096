//! The path is a string.

fn main() {
    let _ = mcp_runtime::openapi!(fine);
}
