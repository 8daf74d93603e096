//! The description of a contract.

use mcp_runtime::contract::{Descriptor, Invoker};
use serde_json::json;

use crate::contract::service::contract;

#[test]
fn the_descriptor_names_resources_methods_and_types() {
    let contract = contract();
    let json = serde_json::to_value(&contract).unwrap();
    assert_eq!((&json["name"], &json["description"]), (&json!("team"), &json!("Todos and the time.")));
    let todos = &json["resources"][0];
    assert_eq!((&todos["name"], &todos["description"]), (&json!("todos"), &json!("The todos of a team.")));
    let create = &todos["methods"][0];
    assert_eq!(create["input"], json!({ "$ref": "#/types/CreateTodo" }));
    assert_eq!(create["output"], json!({ "$ref": "#/types/Todo" }));
    let get = &todos["methods"][1];
    assert_eq!(get["readOnly"], true);
    assert_eq!(get["input"]["required"], json!(["id"]));
    let list = &todos["methods"][3];
    assert_eq!(list["output"]["items"], json!({ "$ref": "#/types/Todo" }));
    let names: Vec<_> = json["types"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["Tag", "CreateTodo", "Todo"]);
    assert_eq!(json["types"]["Todo"]["properties"]["tags"]["items"], json!({ "$ref": "#/types/Tag" }));
    let read: Descriptor = serde_json::from_value(json).unwrap();
    assert_eq!(read, *contract.descriptor());
}

#[test]
fn types_that_differ_have_names_that_differ() {
    mod one {
        use schemars::JsonSchema;
        use serde::Serialize;

        #[derive(Serialize, JsonSchema)]
        pub(super) struct Item {
            pub(super) one: u8,
        }
    }

    mod two {
        use schemars::JsonSchema;
        use serde::Serialize;

        #[derive(Serialize, JsonSchema)]
        pub(super) struct Item {
            pub(super) next: Option<Box<Item>>,
        }
    }

    struct Both;

    #[mcp_runtime::contract(resource = "both")]
    impl Both {
        /// The first.
        async fn first(&self) -> one::Item {
            one::Item { one: 1 }
        }

        /// The second, which contains itself.
        async fn second(&self) -> two::Item {
            two::Item { next: None }
        }

        /// The second again.
        async fn third(&self) -> Vec<two::Item> {
            Vec::new()
        }
    }

    let contract = mcp_runtime::contract::Contract::builder("both").resource(Both.into_resource()).build().unwrap();
    let descriptor = contract.descriptor();
    let output = |method| &descriptor.method("both", method).unwrap().output;
    assert_eq!(output("first"), &json!({ "$ref": "#/types/Item" }));
    assert_eq!(output("second"), &json!({ "$ref": "#/types/Item2" }));
    assert_eq!(output("third")["items"], json!({ "$ref": "#/types/Item2" }));
    let text = descriptor.types["Item2"].to_string();
    assert!(text.contains(r##""$ref":"#/types/Item2""##), "it refers to itself: {text}");
    assert_eq!(descriptor.types.len(), 2);
}
