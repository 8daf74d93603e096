//! A tag of which other groups name all operations makes no tool.

fn main() {
    let _ = mcp_runtime::openapi!("files/fine.yaml", actions(pets = ["findPets", "addPet"], shop = [tag = "pets"]));
}
