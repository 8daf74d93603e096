//! A tool with actions is not named like another tool.

fn main() {
    let _ = mcp_runtime::openapi!("files/fine.yaml", actions(add_pet = ["findPets"]));
}
