//! Each security scheme has a setting of its own.

fn main() {
    let _ = mcp_runtime::openapi!("files/schemes.json");
}
