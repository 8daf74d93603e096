//! A description is of an operation or of a group.

fn main() {
    let _ = mcp_runtime::openapi!("files/fine.yaml", actions(pets = [tag = "pets"]), description("pet" = "Pets."));
}
