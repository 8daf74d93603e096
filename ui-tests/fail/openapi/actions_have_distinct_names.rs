//! The actions of one tool have distinct names.

fn main() {
    let _ = mcp_runtime::openapi!("files/fine.yaml", rename("addPet" = "find_pets"), actions(pets = [tag = "pets"]));
}
