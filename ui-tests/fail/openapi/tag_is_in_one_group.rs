//! An operation that has the tags of two groups is named in one of them.

fn main() {
    let _ = mcp_runtime::openapi!("files/fine.yaml", actions(pets = [tag = "pets"], shop = [tag = "pets"]));
}
