//! A tool with actions has at least one action.

fn main() {
    let _ = mcp_runtime::openapi!("files/fine.yaml", actions(pets = []));
}
