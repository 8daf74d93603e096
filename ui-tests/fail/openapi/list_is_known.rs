//! The lists are known.

fn main() {
    let _ = mcp_runtime::openapi!("files/fine.yaml", only("findPets"));
}
