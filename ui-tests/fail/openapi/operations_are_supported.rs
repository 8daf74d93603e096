//! An operation with something that is not supported is reported, with its name, and can be left out.

fn main() {
    let _ = mcp_runtime::openapi!("files/bad.json");
}
