//! The file is JSON if it begins with a brace.

fn main() {
    let _ = mcp_runtime::openapi!("files/not_json.json");
}
