//! A tool with actions has a name of its own.

fn main() {
    let _ = mcp_runtime::openapi!("files/fine.yaml", actions(pets = ["findPets"], pets = ["addPet"]));
}
