//! An operation that is left out cannot be an action.

fn main() {
    let _ = mcp_runtime::openapi!("files/fine.yaml", include("findPets"), actions(pets = ["addPet"]));
}
