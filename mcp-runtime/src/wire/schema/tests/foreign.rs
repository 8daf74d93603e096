//! Tests of the feature `jsonschema`.

use serde_json::{Value, json};

use crate::wire::schema::InputSchema;

#[track_caller]
fn assert_text(schema: &Value, value: &Value, wanted: &str) {
    let schema = InputSchema::new(json!({ "type": "object", "properties": { "v": schema } })).expect("good");
    assert!(schema.needs_check());
    let text =
        schema.check(&json!({ "v": value }).to_string()).map_or_else(|error| error.to_string(), |()| "fits".into());
    assert_eq!(text, wanted, "{value}");
}

#[test]
fn patterns() {
    let code = json!({ "type": "string", "pattern": "^[A-Z]{3}$", "description": "IATA code" });
    assert_text(&code, &json!("HND"), "fits");
    assert_text(&code, &json!("hnd"), "- `v`: got \"hnd\", must be a string matching `^[A-Z]{3}$` (IATA code)");
    let alternatives = json!({ "oneOf": [{ "pattern": "^a" }, { "pattern": "b$" }] });
    assert_text(&alternatives, &json!("a"), "fits");
    assert_text(&alternatives, &json!("ab"), "- `v`: got \"ab\", must fit exactly one of the alternatives, but fits 2");
}

#[test]
fn enforces_less_common_formats() {
    let pointer = json!({ "format": "json-pointer" });
    assert_text(&pointer, &json!("/a/0"), "fits");
    assert_text(&pointer, &json!("a"), "- `v`: got \"a\", must be a string of the format `json-pointer`");
}

#[test]
fn enforces_patterns_of_keys() {
    let headers = json!({ "patternProperties": { "^x-": { "type": "string" } }, "additionalProperties": false });
    assert_text(&headers, &json!({ "x-a": "b" }), "fits");
    assert_text(&headers, &json!({ "x-a": 1 }), "- `v.x-a`: got 1, must be a string");
    assert_text(&headers, &json!({ "y": 1 }), "- `v.y`: unknown; each key must be a string matching `^x-`");
}

#[test]
fn enforces_keywords_that_depend_on_other_schemas() {
    let schema = json!({ "allOf": [{ "properties": { "a": { "type": "string" } } }], "unevaluatedProperties": false });
    assert_text(&schema, &json!({ "a": "b" }), "fits");
    assert_text(&schema, &json!({ "a": 1 }), "- `v.a`: got 1, must be a string");
    let schema = InputSchema::new(json!({ "type": "object", "properties": { "v": schema } })).expect("good");
    let text = schema.check(r#"{"v":{"b":1}}"#).expect_err("unknown").to_string();
    assert!(text.starts_with("- `v`: ") && text.contains("'b'"), "{text}");
}
