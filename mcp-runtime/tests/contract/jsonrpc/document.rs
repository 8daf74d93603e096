//! The OpenRPC document.

use axum::{body::Body, http::Request};
use mcp_runtime::contract::jsonrpc;
use serde_json::{Value, json};

use super::{app, app_with, call, reply};

async fn document() -> Value {
    let got = reply(&app(), Request::get("/openrpc.json").body(Body::empty()).unwrap()).await;
    assert_eq!((got.status, &got.headers["content-type"]), (200, &"application/json".parse().unwrap()));
    got.json()
}

#[tokio::test]
async fn the_document_describes_methods_params_results_and_errors() {
    let document = document().await;
    assert_eq!(document["info"], json!({ "title": "notes", "version": "2.1.0", "description": "Notes of a team." }));
    let create = &document["methods"][0];
    assert_eq!((&create["name"], &create["summary"]), (&json!("notes.create"), &json!("Creates a note.")));
    assert_eq!(create["tags"], json!([{ "name": "notes", "description": "The notes of a team." }]));
    assert_eq!(create["paramStructure"], "either");
    let title = &create["params"][0];
    assert_eq!((&title["name"], &title["required"]), (&json!("title"), &json!(true)));
    assert_eq!(title["description"], "What is to be remembered.");
    assert_eq!(create["result"]["schema"], json!({ "$ref": "#/components/schemas/Note" }));
    let errors = json!([{ "code": -32000, "message": "NoteError", "data": { "statuses": [404, 409] } }]);
    assert_eq!(create["errors"], errors);
    let method =
        |name: &str| document["methods"].as_array().unwrap().iter().find(|method| method["name"] == name).unwrap();
    let params = method("notes.ordered")["params"].as_array().unwrap();
    let names: Vec<_> = params.iter().map(|param| (param["name"].as_str().unwrap(), &param["required"])).collect();
    assert_eq!(names, [("second", &json!(true)), ("first", &json!(false)), ("third", &json!(false))]);
    assert_eq!(method("notes.label")["params"], json!([]));
    assert_eq!(method("notes.label")["x-params"]["additionalProperties"], json!({ "type": "string" }));
    assert_eq!(document["components"]["schemas"]["Note"]["properties"]["id"]["type"], "integer");
}

#[tokio::test]
async fn discover_returns_the_same_document() {
    assert_eq!(call(&app(), "rpc.discover", json!({})).await, Ok(document().await));
    let app = app_with(jsonrpc::Options::new().openrpc_path(None));
    assert_eq!(reply(&app, Request::get("/openrpc.json").body(Body::empty()).unwrap()).await.status, 404);
    assert!(call(&app, "rpc.discover", json!([])).await.is_ok());
}

#[tokio::test]
async fn the_document_fits_the_official_schema() {
    struct Official;

    impl jsonschema::Retrieve for Official {
        fn retrieve(&self, uri: &jsonschema::Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
            assert!(uri.as_str().starts_with("https://meta.json-schema.tools"), "{uri}");
            Ok(draft_07(include_str!("../data/json-schema-tools.json")))
        }
    }

    let official = draft_07(include_str!("../data/openrpc-1.3.json"));
    let validator = jsonschema::options().with_retriever(Official).build(&official).unwrap();
    let errors: Vec<_> = validator.iter_errors(&document().await).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0]);
    let mut broken = document().await;
    broken["methods"][0]["params"][0].as_object_mut().unwrap().remove("schema");
    assert!(!validator.is_valid(&broken));
}

/// The official schemas name a meta-schema of their own, whose rules are those of draft 7.
fn draft_07(text: &str) -> Value {
    let mut schema: Value = serde_json::from_str(text).unwrap();
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    schema
}
