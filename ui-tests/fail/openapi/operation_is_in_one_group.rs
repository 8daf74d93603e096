//! An operation is an action of one tool.

fn main() {
    let _ = mcp_runtime::openapi!("files/fine.yaml", actions(pets = ["findPets", "addPet"], shop = ["GET /pets"]));
}
