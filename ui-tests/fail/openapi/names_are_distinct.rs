//! New names are distinct from those of other tools.

fn main() {
    let _ = mcp_runtime::openapi!("files/fine.yaml", rename("addPet" = "find_pets"));
}
