//! The OpenAPI document.

use mcp_runtime::contract::rest;
use serde_json::{Value, json};

use super::{app, app_with, send};

async fn document() -> Value {
    let reply = send(&app(), "GET /openapi.json", "").await;
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("application/json")));
    reply.json()
}

#[tokio::test]
async fn the_document_names_the_contract_its_resources_and_its_routes() {
    let document = document().await;
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["info"], json!({ "title": "notes", "version": "2.1.0", "description": "Notes of a team." }));
    assert_eq!(document["tags"][0], json!({ "name": "notes", "description": "The notes of a team." }));
    let paths = document["paths"].as_object().unwrap();
    let mut names: Vec<_> = paths.keys().map(String::as_str).collect();
    names.sort_unstable();
    let expected = [
        "/notes",
        "/notes/by-title/{title}",
        "/notes/clear",
        "/notes/label",
        "/notes/ordered",
        "/notes/search",
        "/notes/{id}",
        "/notes/{note}/copies/{to}",
        "/server_status/crash",
        "/server_status/fail",
        "/server_status/get",
        "/server_status/wait",
    ];
    assert_eq!(names, expected);
    let create = &paths["/notes"]["post"];
    assert_eq!((&create["operationId"], &create["tags"]), (&json!("notes_create"), &json!(["notes"])));
    assert_eq!(
        create["requestBody"]["content"]["application/json"]["schema"]["$ref"],
        "#/components/schemas/CreateNote"
    );
    assert_eq!(
        create["responses"]["201"]["content"]["application/json"]["schema"]["$ref"],
        "#/components/schemas/Note"
    );
    assert_eq!(create["responses"]["201"]["headers"]["Location"]["schema"]["type"], "string");
    assert_eq!(
        create["responses"]["409"]["content"]["application/problem+json"]["schema"]["$ref"],
        "#/components/schemas/Problem"
    );
    assert_eq!(paths["/notes/{id}"]["delete"]["responses"]["204"].get("content"), None);
}

#[tokio::test]
async fn parameters_are_those_of_the_path_and_the_query() {
    let document = document().await;
    let list = &document["paths"]["/notes"]["get"]["parameters"];
    let parameter = |name: &str| {
        let parameters = list.as_array().unwrap();
        parameters.iter().find(|parameter| parameter["name"] == name).unwrap_or_else(|| panic!("{name}")).clone()
    };
    assert_eq!(parameter("filter")["description"], "Only titles that contain this.");
    assert_eq!((&parameter("filter")["in"], &parameter("filter")["required"]), (&json!("query"), &json!(false)));
    assert_eq!(parameter("tags")["schema"]["type"], "array");
    assert_eq!(parameter("page")["schema"]["type"], "integer", "a query has no `null`");
    assert_eq!(parameter("order")["schema"]["anyOf"], json!([{ "$ref": "#/components/schemas/Order" }]));
    assert!(parameter("range")["content"]["application/json"]["schema"].is_object());
    let update = &document["paths"]["/notes/{id}"]["put"];
    assert_eq!(update["parameters"][0]["in"], "path");
    let body = &update["requestBody"]["content"]["application/json"]["schema"];
    assert_eq!(body["required"], json!(["title"]));
    assert_eq!(body["properties"].get("id"), None, "the path has it");
}

#[tokio::test]
async fn the_document_fits_the_official_schema() {
    let document = document().await;
    let official = serde_json::from_str(include_str!("../data/openapi-3.1.json")).unwrap();
    let errors: Vec<_> =
        jsonschema::validator_for(&official).unwrap().iter_errors(&document).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0]);
    let mut schemas = Vec::new();
    collect_schemas(&document, &mut schemas);
    assert!(schemas.len() > 20, "{schemas:?}");
    for schema in schemas {
        assert!(jsonschema::meta::is_valid(schema), "{schema}");
    }
    let text = document.to_string();
    assert!(!text.contains("number:") && !text.contains("#/types/") && !text.contains("$defs"), "{text}");
    for reference in references(&document) {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
    }
}

#[tokio::test]
async fn the_document_and_the_page_can_be_left_out_or_moved() {
    let none = app_with(rest::Options::new().openapi_path(None).docs_path(None));
    send(&none, "GET /openapi.json", "").await.problem(404);
    send(&none, "GET /docs/", "").await.problem(404);
    let moved = app_with(rest::Options::new().openapi_path("/v2/api.json").docs_path("/v2/docs"));
    let document = send(&moved, "GET /v2/api.json", "").await.json();
    assert_eq!(document["servers"], json!([{ "url": ".." }]), "the routes are where the router is");
    assert_eq!(send(&app(), "GET /openapi.json", "").await.json()["servers"], json!([{ "url": "." }]));
}

#[tokio::test]
async fn the_page_has_all_its_files_and_finds_the_document() {
    for (options, at, up) in
        [(rest::Options::new(), "/docs", "../"), (rest::Options::new().docs_path("/a/b/"), "/a/b", "../../")]
    {
        let app = app_with(options);
        let redirect = send(&app, &format!("GET {at}"), "").await;
        assert_eq!(redirect.status, 308);
        let last = at.rsplit('/').next().unwrap();
        assert_eq!(redirect.header("location"), Some(&*format!("{last}/")), "relative, so that a proxy can move it");
        let page = send(&app, &format!("GET {at}/"), "").await;
        assert_eq!(page.status, 200);
        assert!(page.header("content-type").unwrap().starts_with("text/html"));
        assert!(!page.body.contains("http://") && !page.body.contains("https://"), "nothing comes from elsewhere");
        for file in ["swagger-ui-bundle.js", "swagger-ui.css", "swagger-initializer.js"] {
            assert_eq!(send(&app, &format!("GET {at}/{file}"), "").await.status, 200, "{file}");
        }
        let start = send(&app, &format!("GET {at}/swagger-initializer.js"), "").await.body;
        assert!(start.contains(&format!("{up}openapi.json")), "{start}");
        assert_eq!(send(&app, &format!("GET {at}/nothing.js"), "").await.status, 404);
    }
}

/// Collects the schemas of parameters, bodies and types.
fn collect_schemas<'a>(value: &'a Value, schemas: &mut Vec<&'a Value>) {
    match value {
        Value::Object(object) => {
            schemas.extend(object.get("schema"));
            schemas
                .extend(object.get("schemas").and_then(Value::as_object).into_iter().flat_map(|types| types.values()));
            object.values().for_each(|value| collect_schemas(value, schemas));
        }
        Value::Array(values) => values.iter().for_each(|value| collect_schemas(value, schemas)),
        _ => {}
    }
}

fn references(value: &Value) -> Vec<String> {
    match value {
        Value::Object(object) => {
            let own = object.get("$ref").and_then(Value::as_str).map(str::to_owned);
            own.into_iter().chain(object.values().flat_map(references)).collect()
        }
        Value::Array(values) => values.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}
