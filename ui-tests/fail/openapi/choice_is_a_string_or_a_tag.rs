//! A choice is a string or a tag.

fn main() {
    let _ = mcp_runtime::openapi!("files/fine.yaml", include(findPets));
}
