//! Tests of schemas that are published unchanged.

use serde_json::{Value, json};

use crate::wire::schema::{InputSchema, InputSettings};

/// A schema with everything that [`InputSchema::new`] removes, inlines or rejects.
fn rich() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Contact",
        "type": "object",
        "$defs": {
            "address": { "$anchor": "addressDef", "type": "object", "properties": { "city": { "type": "string" } } },
            "unused": true,
        },
        "properties": { "home": { "$ref": "#/$defs/address" }, "phone": {}, "email": {}, "by": {} },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "by": { "const": "phone" } }, "required": ["by"] },
        "then": { "required": ["phone"] },
        "additionalProperties": false,
    })
}

#[test]
fn publishes_the_schema_unchanged() {
    assert!(InputSchema::new(rich()).is_err());
    let schema = InputSchema::verbatim(&rich(), InputSettings::default()).unwrap();
    assert_eq!(schema.published.get(), rich().to_string());
}

#[test]
fn enforces_the_whole_schema() {
    let schema = InputSchema::verbatim(&rich(), InputSettings::default()).unwrap();
    assert!(schema.needs_check());
    let fits = |arguments: Value| schema.check(&arguments.to_string()).is_ok();
    assert!(fits(json!({ "email": "ada@example.com", "home": { "city": "London" } })));
    assert!(fits(json!({ "phone": "1", "by": "phone" })));
    assert!(!fits(json!({})), "`anyOf` inside of `allOf`");
    assert!(!fits(json!({ "email": "ada@example.com", "by": "phone" })), "`if` and `then`");
    assert!(!fits(json!({ "phone": "1", "home": { "city": 1 } })), "`$ref`");
    assert!(!fits(json!({ "phone": "1", "fax": "1" })), "`additionalProperties`");
}

#[test]
fn rejects_schemas_that_cannot_be_enforced() {
    let problems = |schema: Value| InputSchema::verbatim(&schema, InputSettings::default()).unwrap_err().join("\n");
    let no_object = "the root must have `\"type\": \"object\"`: arguments are always an object";
    for schema in [json!({}), json!(true), json!({ "type": ["object", "null"] }), json!({ "type": "array" })] {
        assert_eq!(problems(schema), no_object);
    }
    let lost = json!({ "type": "object", "properties": { "home": { "$ref": "#/$defs/nowhere" } } });
    assert!(problems(lost).contains("does not exist in this schema"));
    let mut deep = json!({});
    for _ in 0..1000 {
        deep = json!({ "not": deep });
    }
    assert!(problems(json!({ "type": "object", "not": deep })).contains("nested too deeply"));
}
