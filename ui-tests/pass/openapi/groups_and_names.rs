//! Actions of two tools can have one name, a named operation goes before a tag, and a group can have a description.
#![deny(warnings)]

use mcp_runtime::{Server, openapi};

fn main() {
    let api = openapi!(
        "list.yaml",
        actions(offers = ["addPet"], pets = [tag = "pets"]),
        rename("findPets" = "run", "addPet" = "run"),
        description("offers" = "Offers pets for sale."),
    );
    let service = Server::new("shop", "1.0.0").tools(api).build().unwrap();
    let tools = service.manifest()["tools"].clone();
    let described: Vec<_> = tools.as_array().unwrap().iter().map(|tool| (&tool["name"], &tool["description"])).collect();
    assert_eq!(
        described,
        [
            (&"pets".into(), &"Finds and adds pets.".into()),
            (&"offers".into(), &"Offers pets for sale.".into()),
        ]
    );
}
