//! New names are names that models can use.

fn main() {
    let _ = mcp_runtime::openapi!("files/fine.yaml", rename("findPets" = "find pets"));
}
