//! No operation is the action that shows the parameters.

fn main() {
    let _ = mcp_runtime::openapi!("files/fine.yaml", rename("findPets" = "describe"), actions(pets = [tag = "pets"]));
}
