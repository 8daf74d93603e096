//! Bodies: their types, the styles of forms, and their members as arguments.

use serde_json::{Value, json};

use super::{super::parameter::Style, body, operation};
use crate::openapi::operation::{Operation, RequestBody};

const FORM: &str = "application/x-www-form-urlencoded";

fn sends(content: &Value) -> Operation {
    let value = json!({ "operationId": "op", "requestBody": { "required": true, "content": content } });
    operation("3.1.0", "/p", "post", &value, &json!({})).unwrap()
}

fn sent(content: &Value) -> RequestBody {
    sends(content).body.unwrap()
}

#[test]
fn members_of_a_form_have_the_styles_of_their_encoding() {
    let encoding = json!({
        "metadata": { "style": "deepObject", "explode": true },
        "ids": { "style": "form", "explode": false },
        "few": { "explode": false },
        "tags": { "style": "form", "contentType": "image/png" },
        "filter": { "contentType": "application/json; charset=utf-8" },
        "name": { "contentType": "text/plain" },
    });
    let body = sent(&json!({ FORM: { "schema": { "type": "object" }, "encoding": encoding } }));
    let styles: Vec<_> = body.styles.iter().map(|(member, style)| (&**member, *style)).collect();
    assert_eq!(
        styles,
        [("metadata", Style::Deep), ("ids", Style::Joined), ("few", Style::Joined), ("filter", Style::Json)]
    );
    // Other bodies have no encoding.
    let json = json!({ "application/json": { "schema": {}, "encoding": { "a": { "style": "pipeDelimited" } } } });
    assert!(sent(&json).styles.is_empty());
}

#[test]
fn a_range_of_types_is_sent_as_one_of_them() {
    for (range, media_type) in [
        ("*/*", "application/json"),
        ("application/*", "application/json"),
        ("text/*", "text/plain"),
        ("text/csv", "text/csv"),
        ("application/vnd.api+json", "application/vnd.api+json"),
    ] {
        assert_eq!(sent(&json!({ range: { "schema": {} } })).media_type, media_type);
    }
}

#[test]
fn a_schema_that_says_more_than_its_reference_is_not_lifted() {
    let base = json!({ "type": "object", "properties": { "name": { "type": "string" } } });
    let chain = json!({ "$ref": "#/components/schemas/Base", "required": ["name"] });
    let schemas = json!({ "Base": base, "Chain": chain });
    let arguments = |version: &str, schema: &Value| {
        let read = operation(version, "/p", "post", &body(schema), &schemas).unwrap();
        read.input["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>()
    };
    let more = json!({
        "$ref": "#/components/schemas/Base", "required": ["tag"], "properties": { "tag": { "type": "string" } },
    });
    assert_eq!(arguments("3.1.0", &more), ["body"]);
    assert_eq!(arguments("3.0.3", &more), ["name"]);
    assert_eq!(arguments("3.1.0", &json!({ "$ref": "#/components/schemas/Chain" })), ["body"]);
    assert_eq!(arguments("3.1.0", &json!({ "$ref": "#/components/schemas/Base", "description": "It." })), ["name"]);
    let read = operation("3.1.0", "/p", "post", &body(&more), &schemas).unwrap();
    assert_eq!(read.input["properties"]["body"]["properties"]["tag"]["type"], "string");
}
