//! The path, the lists and the whole call can come from another macro.
#![deny(warnings)]

use mcp_runtime::{Server, openapi::Api};

macro_rules! group {
    ($file:literal, $group:ident: $($operation:literal)*) => {
        mcp_runtime::openapi!($file, actions($group = [$($operation),*]), description("findPets" = "Finds all pets."))
    };
}

fn api() -> Api {
    group!("list.yaml", pets: "findPets" "POST /pets")
}

fn main() {
    let service = Server::new("shop", "1.0.0").tools(api()).build().unwrap();
    let tools = service.manifest()["tools"].clone();
    assert_eq!(tools[0]["inputSchema"]["properties"]["action"]["enum"], serde_json::json!(["find_pets", "add_pet", "describe"]));
}
