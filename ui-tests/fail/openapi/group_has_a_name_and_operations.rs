//! A group has a name and operations.

fn main() {
    let _ = mcp_runtime::openapi!("files/fine.yaml", actions(pets("findPets")));
}
