//! Each entry of a group chooses an operation of the document.

fn main() {
    let _ = mcp_runtime::openapi!("files/fine.yaml", actions(pets = ["findPet", tag = "pet"]));
}
