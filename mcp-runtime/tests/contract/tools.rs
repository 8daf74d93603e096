//! The endpoint for MCP clients.

use mcp_runtime::{Revision, Server, contract, contract::Contract, testing::Client};
use serde_json::{Value, json};

use crate::contract::service::{Clock, TodoApi, Todos, contract};

fn client(revision: Revision) -> Client {
    let service = Server::new("team", "1.0.0").contract(&contract()).build().unwrap();
    Client::new(&service, revision)
}

#[test]
fn tool_naming_joins_resource_and_method() {
    let manifest = Server::new("team", "1.0.0").contract(&contract()).build().unwrap().manifest();
    let names: Vec<_> =
        manifest["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let expected = [
        "todos_create",
        "todos_get",
        "todos_update",
        "todos_list",
        "todos_delete",
        "todos_clear",
        "wall_clocks_now",
        "wall_clocks_wait_for_ever",
        "wall_clocks_fail",
    ];
    assert_eq!(names, expected);
}

#[test]
fn input_schema_is_that_of_the_input_type() {
    let manifest = Server::new("team", "1.0.0").contract(&contract()).build().unwrap().manifest();
    let tool = |name: &str| {
        manifest["tools"]
            .as_array()
            .unwrap()
            .iter()
            .find(|tool| tool["name"] == name)
            .unwrap_or_else(|| panic!("{name}"))
    };
    let create = tool("todos_create");
    assert_eq!(create["description"], "Creates a todo.");
    let properties = &create["inputSchema"]["properties"];
    assert_eq!(properties["title"]["description"], "What is to be done.");
    assert_eq!(properties["tags"]["items"]["properties"]["name"]["type"], "string", "nested objects stay as they are");
    assert_eq!(create["annotations"], Value::Null);
    assert_eq!(tool("todos_get")["annotations"], json!({ "readOnlyHint": true }));
    assert_eq!(tool("todos_list")["annotations"], json!({ "readOnlyHint": true }));
    assert_eq!(tool("todos_delete")["annotations"], json!({ "destructiveHint": true }));
    assert_eq!(tool("todos_update")["annotations"], json!({ "idempotentHint": true }));
    assert_eq!(tool("todos_list")["inputSchema"]["required"], Value::Null);
    assert_eq!(tool("todos_clear")["inputSchema"]["properties"], json!({}));
}

#[tokio::test]
async fn tools_call_creates_reads_updates_and_deletes_in_every_revision() {
    for revision in Revision::ALL {
        let mut client = client(revision);
        let created = client.call("todos_create", json!({ "title": "milk", "tags": [{ "name": "shop" }] })).await;
        let todo = json!({ "id": 0, "title": "milk", "tags": [{ "name": "shop" }] });
        assert_eq!(serde_json::from_str::<Value>(&created.text()).unwrap(), todo, "{revision:?}");
        let updated = client.call("todos_update", json!({ "id": 0, "title": "tea" })).await;
        assert_eq!(serde_json::from_str::<Value>(&updated.text()).unwrap()["title"], "tea");
        let listed = client.call("todos_list", json!({ "filter": "te" })).await;
        assert_eq!(serde_json::from_str::<Value>(&listed.text()).unwrap()[0]["title"], "tea");
        assert_eq!(client.call("todos_delete", json!({ "id": 0 })).await.text(), "null", "no output is `null`");
        let missing = client.call("todos_get", json!({ "id": 0 })).await;
        assert!(missing.is_error());
        assert_eq!(missing.text(), "there is no todo 0");
    }
}

#[tokio::test]
async fn call_error_names_each_mistake_of_the_input() {
    let mut client = client(Revision::LATEST);
    let reply = client.call("todos_create", json!({ "title": "", "tag": [] })).await;
    assert!(reply.is_error());
    let text = reply.text();
    assert!(text.starts_with("invalid arguments for `todos_create`:"), "{text}");
    assert!(text.contains("`title`") && text.contains("`tag`"), "{text}");
}

#[tokio::test]
async fn error_mapper_of_the_server_sees_the_typed_error() {
    use crate::contract::service::NoTodo;

    let server = Server::new("team", "1.0.0").contract(&contract());
    let server = server.error_mapper(|error| {
        let id = error.downcast_ref::<NoTodo>().map(|error| error.0);
        (true, format!("not there: {id:?}"))
    });
    let service = server.build().unwrap();
    let reply = Client::new(&service, Revision::LATEST).call("todos_get", json!({ "id": 7 })).await;
    assert_eq!(reply.text(), "not there: Some(7)");
}

#[test]
fn a_default_that_panics_is_an_error_of_the_build() {
    struct Broken;

    fn broken() -> u32 {
        panic!("no limit is known")
    }

    /// Cannot say its limit.
    #[contract(resource = "broken")]
    impl Broken {
        /// Lists.
        async fn list(&self, #[serde(default = "broken")] limit: u32) -> u32 {
            limit
        }
    }

    let error = Contract::builder("broken").resource(Broken.into_resource()).build().unwrap_err();
    assert_eq!(error.problems(), ["method `broken.list`: the default of `limit` panics: no limit is known"]);
}

#[test]
fn clashes_are_errors_of_the_build() {
    struct Other;

    /// Another service, whose tools have the names of others.
    #[contract(resource = "wall")]
    impl Other {
        /// Returns the time too.
        #[method(name = "clocks_now")]
        async fn now(&self) -> u64 {
            2
        }
    }

    let twice = Contract::builder("twice").resource(Clock.into_resource()).resource(Clock.into_resource());
    let error = twice.build().unwrap_err().to_string();
    let expected = "the contract cannot be built: two resources are named `wall_clocks`; rename one: \
                    `.into_resource().with_name(\"…\")`";
    assert_eq!(error, expected);
    let ambiguous = Contract::builder("two").resource(Clock.into_resource()).resource(Other.into_resource());
    let error = ambiguous.build().unwrap_err().to_string();
    let expected = "the contract cannot be built: the resources `wall_clocks` and `wall` both have a tool \
                    `wall_clocks_now`; rename one method: `#[method(name = \"…\")]`";
    assert_eq!(error, expected);
    let reserved = Contract::builder("rpc").resource(Clock.into_resource().with_name("rpc")).build().unwrap_err();
    let expected = "JSON-RPC reserves the names that begin with `rpc.`; choose another name for `rpc`";
    assert_eq!(reserved.problems(), [expected]);
    let long = Contract::builder("long").resource(Todos::default().into_resource().with_name("x".repeat(128)));
    let error = long.build().unwrap_err();
    assert_eq!(error.problems().len(), 6, "{error}");
    assert!(error.to_string().contains("the name is too long"), "{error}");
}
