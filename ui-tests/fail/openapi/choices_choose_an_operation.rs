//! Each choice chooses an operation of the document.

fn main() {
    let _ = mcp_runtime::openapi!("files/fine.yaml", include("findPet", tag = "pet"), except("GET /pet"), rename("addPets" = "add"), description("x" = "y"));
}
