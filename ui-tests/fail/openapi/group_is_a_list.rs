//! The operations of a group are in brackets.

fn main() {
    let _ = mcp_runtime::openapi!("files/fine.yaml", actions(pets = "findPets"));
}
