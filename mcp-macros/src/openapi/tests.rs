//! Small documents, in both versions and both formats.

mod bodies;
mod errors;
mod schemas;

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::{Value, json};
use syn::parse::Parser;

use super::{
    ast,
    operation::Operation,
    select::{self, Api},
};
use crate::errors::Errors;

/// Reads the operations of a document.
fn read(text: &str) -> Result<Vec<Operation>, String> {
    api(text, &quote!()).map(|api| api.operations)
}

/// Reads a document with these lists.
fn api(text: &str, lists: &TokenStream) -> Result<Api, String> {
    let call = ast::call.parse2(quote!((::mcp_runtime) "api.json", #lists)).unwrap();
    let mut errors = Errors::new();
    let api = select::api(&mut errors, &call, Ok(text.to_owned()));
    match errors.finish() {
        Ok(()) => Ok(api.unwrap()),
        Err(errors) => Err(errors.to_string()),
    }
}

/// Reads the only operation of a document with this path.
fn operation(version: &str, path: &str, method: &str, operation: &Value, schemas: &Value) -> Result<Operation, String> {
    let document = json!({
        "openapi": version,
        "paths": { path: { method: operation } },
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "key": { "type": "apiKey", "in": "query", "name": "k" },
                "session": { "type": "apiKey", "in": "cookie", "name": "s" },
            },
        },
    });
    read(&document.to_string()).map(|mut operations| operations.remove(0))
}

fn body(schema: &Value) -> Value {
    json!({ "operationId": "op", "requestBody": { "required": true, "content": { "application/json": { "schema": schema } } } })
}

#[test]
fn json_and_yaml_are_the_same() {
    let yaml = "
openapi: 3.1.0
paths:
  /pets/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: integer}}
    get:
      operationId: getPet
      summary: Returns a pet.
      responses:
        200: {description: ok, content: {application/json: {schema: {type: object, properties: {name: {type: [string, 'null']}}}}}}
";
    let json = json!({ "openapi": "3.1.0", "paths": { "/pets/{id}": {
        "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "integer" } }],
        "get": {
            "operationId": "getPet",
            "summary": "Returns a pet.",
            "responses": { "200": { "description": "ok", "content": { "application/json": { "schema": {
                "type": "object", "properties": { "name": { "type": ["string", "null"] } },
            } } } } },
        },
    } } });
    let [one, other] = [yaml.to_owned(), json.to_string()].map(|text| read(&text).unwrap().remove(0));
    assert_eq!((&one.input, &one.output, &one.name), (&other.input, &other.output, &other.name));
    assert_eq!(one.output.unwrap()["properties"]["name"]["type"], json!(["string", "null"]));
    assert_eq!(one.input["properties"]["id"]["description"], "`id` in the path of `/pets/{id}`.");
}

#[test]
fn schemas_of_3_0_become_json_schema() {
    let schema = json!({ "type": "object", "required": ["age", "id"], "properties": {
        "id": { "type": "integer", "readOnly": true },
        "age": { "type": "integer", "minimum": 0, "exclusiveMinimum": true, "format": "int32", "example": 3 },
        "kind": { "type": "string", "enum": ["a", "a", "b"], "nullable": true, "default": "c" },
        "owner": { "nullable": true, "description": "Who has it.", "allOf": [{ "$ref": "#/components/schemas/Owner" }] },
        "next": { "$ref": "#/components/schemas/Owner" },
    } });
    let owner = json!({ "type": "object", "properties": { "friend": { "$ref": "#/components/schemas/Owner" } } });
    let read = operation("3.0.3", "/p", "post", &body(&schema), &json!({ "Owner": owner })).unwrap();
    let input = &read.input;
    assert_eq!(input["required"], json!(["age"]));
    assert_eq!(
        input["properties"]["age"],
        json!({ "type": "integer", "exclusiveMinimum": 0, "description": "Such as `3`." })
    );
    assert_eq!(input["properties"]["kind"], json!({ "type": ["string", "null"], "enum": ["a", "b", null] }));
    assert_eq!(input["properties"]["owner"]["anyOf"][1], json!({ "type": "null" }));
    assert_eq!(input["properties"]["owner"]["description"], "Who has it.");
    assert_eq!(input["properties"]["next"]["$ref"], "#/$defs/Owner");
    assert_eq!(input["$defs"]["Owner"]["properties"]["friend"]["$ref"], "#/$defs/Owner");
    assert_eq!(read.body.unwrap().members.unwrap(), ["age", "kind", "owner", "next"]);
}

#[test]
fn a_body_is_one_argument_if_its_members_cannot_be_arguments() {
    for schema in [
        json!({ "type": "array", "items": {} }),
        json!({ "type": "object", "properties": { "a": {} }, "additionalProperties": true }),
        json!({ "type": "object", "properties": { "a[b]": {} } }),
        json!({ "allOf": [{ "type": "object", "properties": { "a": {} } }] }),
    ] {
        let read = operation("3.1.0", "/p", "post", &body(&schema), &json!({})).unwrap();
        assert_eq!(read.input["required"], json!(["body"]), "{schema}");
        assert!(read.body.unwrap().members.is_none());
    }
    let mut clashing = body(&json!({ "type": "object", "properties": { "id": { "type": "string" } } }));
    clashing["parameters"] = json!([
        { "name": "id", "in": "query", "schema": { "type": "integer" } },
        { "name": "id", "in": "header", "schema": { "type": "integer" } },
    ]);
    let read = operation("3.1.0", "/p", "post", &clashing, &json!({})).unwrap();
    let names: Vec<_> = read.input["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["id", "header_id", "body"]);
}

#[test]
fn a_member_that_a_body_requires_without_a_schema_is_an_argument() {
    let schema =
        json!({ "type": "object", "required": ["name", "team"], "properties": { "name": { "type": "string" } } });
    let read = operation("3.1.0", "/p", "post", &body(&schema), &json!({})).unwrap();
    assert_eq!(read.input["properties"]["team"], json!({ "description": "`team` in the body of `/p`." }));
    assert_eq!(read.input["required"], json!(["name", "team"]));
    assert_eq!(read.body.unwrap().members.unwrap(), ["name", "team"]);
}

#[test]
fn a_result_matches_a_weaker_schema() {
    let kinds = json!([{ "type": "integer", "minimum": 5 }, { "type": "integer", "maximum": 3 }]);
    let schema = json!({ "type": "object", "required": ["kind", "gone"], "properties": {
        "kind": { "oneOf": kinds, "not": { "minimum": 9 } },
    } });
    let content = json!({ "content": { "application/json": { "schema": schema } } });
    let value = json!({ "operationId": "op", "responses": { "200": content } });
    let output = operation("3.1.0", "/p", "get", &value, &json!({})).unwrap().output.unwrap();
    assert_eq!(output["properties"]["kind"], json!({ "anyOf": [{ "type": "integer" }, { "type": "integer" }] }));
    assert_eq!(output["required"], json!(["kind"]));
}

#[test]
fn a_result_has_members_that_no_pattern_can_name() {
    let schema = json!({ "type": "object", "patternProperties": { r"^[\w-.]+$": {} }, "additionalProperties": false });
    let content = json!({ "content": { "application/json": { "schema": schema } } });
    let value = json!({ "operationId": "op", "responses": { "200": content } });
    let output = operation("3.1.0", "/p", "get", &value, &json!({})).unwrap().output.unwrap();
    assert_eq!(output, json!({ "type": "object" }));
}

#[test]
fn an_answer_has_a_schema_if_each_success_is_the_same_object() {
    let answers = |responses: Value| {
        let operation_value = json!({ "operationId": "op", "responses": responses });
        operation("3.1.0", "/p", "get", &operation_value, &json!({ "Pet": { "type": "object", "properties": {} } }))
            .unwrap()
    };
    let content = |schema: Value| json!({ "content": { "application/json": { "schema": schema } } });
    let pet = || content(json!({ "$ref": "#/components/schemas/Pet" }));
    assert!(answers(json!({ "200": pet(), "201": pet(), "404": {} })).output.is_some());
    assert!(answers(json!({ "200": pet(), "204": {} })).output.is_none());
    assert!(answers(json!({ "200": content(json!({ "type": "array" })) })).output.is_none());
    assert_eq!(answers(json!({ "200": { "content": { "text/csv": {} } } })).accept, "text/csv");
}

#[test]
fn what_is_not_supported_is_reported_with_its_operation() {
    let get = |member: &str, value: Value| json!({ "operationId": "op", member: value });
    let form = |encoding: Value| {
        get("requestBody", json!({ "content": { "application/x-www-form-urlencoded": { "encoding": encoding } } }))
    };
    for (path, value, problem) in [
        ("/p", get("parameters", json!([{ "name": "c", "in": "cookie" }])), "the parameter `c` is a cookie"),
        (
            "/p",
            get("parameters", json!([{ "name": "c", "in": "query", "style": "pipeDelimited" }])),
            "the parameter `c` is of the style `pipeDelimited`",
        ),
        ("/p/{id}", get("tags", json!([])), "its path has `{id}`"),
        ("/p", get("security", json!([{ "session": [] }])), "its security needs `session`"),
        ("/p", get("servers", json!([{ "url": "/v2" }])), "it has a server of its own with the URL `/v2`"),
        ("/p", body(&json!({ "$ref": "other.json#/Pet" })), "leads to another file"),
        ("/p", body(&json!({ "$ref": "#/components/schemas/None" })), "leads to nothing"),
        ("/p", body(&json!({ "type": "file" })), "a schema has the type `file`"),
        (
            "/p",
            get("requestBody", json!({ "content": { "multipart/form-data": {} } })),
            "the body is of the type `multipart/form-data`",
        ),
        (
            "/p",
            form(json!({ "ids": { "style": "pipeDelimited" } })),
            "the member `ids` of the body is of the style `pipeDelimited`, which is not supported",
        ),
        (
            "/p",
            form(json!({ "photo": { "contentType": "image/png" } })),
            "the member `photo` of the body is of the type `image/png`, which is not supported",
        ),
        (
            "/p",
            body(&json!({ "properties": { "p": { "required": ["a[b]"], "properties": { "a[b]": {} } } } })),
            "the property `a[b]` of a schema is required, but the APIs of models take only names with",
        ),
    ] {
        let Err(error) = operation("3.1.0", path, "post", &value, &json!({})) else { panic!("{problem}") };
        assert!(error.contains(problem) && error.contains("the operation `op` (POST /p"), "{error}");
        assert!(error.contains("except(\\\"op\\\")"), "{error}");
    }
}

#[test]
fn security_that_can_be_satisfied_is_taken() {
    let value = json!({ "operationId": "op", "security": [{ "session": [] }, { "key": [] }, {}] });
    let read = operation("3.1.0", "/p", "get", &value, &json!({})).unwrap();
    assert_eq!(read.security, [vec![0], vec![]]);
}

#[test]
fn a_parameter_that_is_the_place_of_a_credential_is_no_argument() {
    let parameters = json!([
        { "name": "k", "in": "query", "schema": { "type": "string" } },
        { "name": "k", "in": "header", "schema": { "type": "string" } },
        { "name": "K", "in": "query", "schema": { "type": "string" } },
    ]);
    let mut value = json!({ "operationId": "op", "parameters": parameters, "security": [{ "key": [] }, {}] });
    let arguments = |value: &Value| {
        let read = operation("3.1.0", "/p", "get", value, &json!({})).unwrap();
        read.input["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(arguments(&value), ["k", "K"]);
    value["security"] = json!([]);
    assert_eq!(arguments(&value), ["k", "header_k", "K"]);
}

#[test]
fn an_answer_to_head_has_no_schema() {
    let content = json!({ "content": { "application/json": { "schema": { "type": "object", "properties": {} } } } });
    let value = json!({ "operationId": "op", "responses": { "200": content } });
    assert!(operation("3.1.0", "/p", "get", &value, &json!({})).unwrap().output.is_some());
    assert!(operation("3.1.0", "/p", "head", &value, &json!({})).unwrap().output.is_none());
}

#[test]
fn what_is_no_document_is_reported() {
    for (text, problem) in [
        ("{", "is not JSON"),
        ("a: [", "is not YAML"),
        ("{}", "is not an OpenAPI document"),
        (r#"{"swagger":"2.0"}"#, "is of OpenAPI 2.0, and only 3.0 and 3.1 can be read"),
        (r#"{"openapi":"3.0.0"}"#, "has no operations"),
    ] {
        let Err(error) = read(text) else { panic!("{problem}") };
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn only_schemes_that_the_operations_use_are_kept() {
    let operation = |scheme: &str| json!({ "operationId": scheme, "security": [{ scheme: [] }] });
    let scheme = |name: &str| json!({ "type": "apiKey", "in": "header", "name": name });
    let document = json!({
        "openapi": "3.1.0",
        "info": { "title": "Pets" },
        "paths": { "/a": { "get": operation("a") }, "/c": { "get": operation("c") } },
        "components": { "securitySchemes": { "a": scheme("A"), "b": scheme("B"), "c": scheme("C") } },
    });
    let api = api(&document.to_string(), &quote!(include("c"))).unwrap();
    assert_eq!(api.operations[0].security, [vec![0]]);
    let schemes: Vec<_> = api.schemes.iter().map(|scheme| (&*scheme.name, &*scheme.description)).collect();
    assert_eq!(schemes, [("c", "The key for `c` of Pets.")]);
}

#[test]
fn an_operation_that_is_named_is_not_in_the_group_of_its_tag() {
    let operation = |id: &str| json!({ "operationId": id, "tags": ["t"] });
    let document = json!({
        "openapi": "3.1.0",
        "tags": [{ "name": "t", "description": "About **pets**." }],
        "paths": { "/a": { "get": operation("a") }, "/b": { "get": operation("b") }, "/c": { "get": operation("c") } },
    });
    let lists = quote!(except("a"), actions(tagged = [tag = "t"], named = ["GET /c"]), description("named" = "One."));
    let groups = api(&document.to_string(), &lists).unwrap().groups;
    let groups: Vec<_> =
        groups.iter().map(|group| (&*group.name, &*group.description, &group.operations[..])).collect();
    assert_eq!(groups, [("tagged", "About pets.", &[0][..]), ("named", "One.", &[1])]);
}
