//! A change has a text.

fn main() {
    let _ = mcp_runtime::openapi!("files/fine.yaml", rename("findPets"));
}
