//! The file is an OpenAPI document.

fn main() {
    let _ = mcp_runtime::openapi!("files/list.yaml");
}
