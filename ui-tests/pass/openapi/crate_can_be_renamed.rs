//! The crate can have another name.
#![deny(warnings)]

use mcp_runtime as rt;

mod shop {
    pub fn api() -> super::rt::openapi::Api {
        super::rt::openapi!("list.yaml", actions(pets = [tag = "pets"]))
    }
}

fn main() {
    let service = rt::Server::new("shop", "1.0.0").tools(shop::api()).build().unwrap();
    assert_eq!(service.manifest()["tools"][0]["name"], "pets");
}
