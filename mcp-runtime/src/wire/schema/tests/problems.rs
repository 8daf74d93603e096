//! Error messages for authors about schemas that cannot be published.

use serde_json::{Value, json};

use crate::wire::schema::InputSchema;

#[track_caller]
fn assert_problems(schema: &Value, wanted: &[&str]) {
    let problems = InputSchema::new(schema.clone()).expect_err("a bad schema");
    assert_eq!(problems, wanted, "{schema}");
}

/// Checks the errors of the schema of property `v`.
#[track_caller]
fn assert_inside(schema: &Value, wanted: &[&str]) {
    assert_problems(&json!({ "type": "object", "properties": { "v": schema } }), wanted);
}

#[test]
fn reports_roots_that_hosts_reject() {
    let enums = "use the enum as the type of a field (without `#[serde(flatten)]`, and not as `#[params]`), or use a struct with optional fields";
    for union in ["oneOf", "anyOf"] {
        assert_problems(
            &json!({ union: [{ "type": "object" }] }),
            &[&format!("the root has `{union}`, which model APIs reject: {enums}")],
        );
    }
    assert_problems(
        &json!({ "type": "object", "not": {}, "if": {} }),
        &[
            "the root has `not`, which model APIs reject: move it into a property, or check it in the tool",
            "the root has `if`, which model APIs reject: move it into a property, or check it in the tool",
        ],
    );
    assert_problems(
        &json!({ "type": "string", "enum": ["A"] }),
        &["the root has `enum`, which model APIs reject: move it into a property"],
    );
    assert_problems(
        &json!({ "type": "null", "title": "Unit" }),
        &["the root is of type \"null\", but arguments are always an object: use a struct with named fields"],
    );
    assert_problems(
        &json!(false),
        &["the schema is not an object: write `{ \"type\": \"object\", \"properties\": { … } }`"],
    );
}

#[test]
fn reports_names_that_hosts_reject() {
    let hosts =
        "has a name that hosts reject: use up to 64 letters, digits, `_`, `.`, `-` (`#[serde(rename = \"…\")]`)";
    assert_inside(
        &json!({ "type": "object", "properties": { "größe": {}, "a b": {}, "ok_.-9": {} } }),
        &[&format!("the property \"größe\" {hosts}"), &format!("the property \"a b\" {hosts}")],
    );
    let long = "x".repeat(65);
    assert_problems(
        &json!({ "type": "object", "properties": { &long: {}, "": {} } }),
        &[&format!("the property \"{long}\" {hosts}"), &format!("the property \"\" {hosts}")],
    );
}

#[test]
fn reports_references_without_target() {
    assert_inside(
        &json!({ "$ref": "#/$defs/Gone" }),
        &["`$ref: #/$defs/Gone` does not exist in the schema: define it under `$defs`"],
    );
    assert_inside(
        &json!({ "$ref": "https://example.com/day.json" }),
        &["`$ref: https://example.com/day.json` is outside of the schema: copy its target under `$defs`"],
    );
    assert_problems(
        &json!({ "type": "object", "properties": { "v": { "$ref": "#/$defs/A" } }, "$defs": { "A": { "anyOf": [{ "$ref": "#/$defs/A" }] } } }),
        &["a `$ref` leads back to itself without entering a property or an item"],
    );
    let doubling: serde_json::Map<_, _> = (0..40)
        .map(|at| {
            let next = json!({ "$ref": format!("#/$defs/d{}", at + 1) });
            (format!("d{at}"), json!({ "properties": { "a": next, "b": next } }))
        })
        .chain([("d40".to_owned(), json!({}))])
        .collect();
    assert_problems(
        &json!({ "type": "object", "properties": { "v": { "$ref": "#/$defs/d0" } }, "$defs": doubling }),
        &["the schema is too large when each `$ref` is replaced by its target"],
    );
}

#[test]
fn reports_malformed_keywords() {
    assert_inside(&json!({ "type": "str" }), &["`properties.v.type`: \"str\" is not a type of JSON Schema"]);
    assert_inside(&json!({ "minimum": "1" }), &["`properties.v.minimum`: must be a number"]);
    assert_inside(&json!({ "exclusiveMinimum": true }), &["`properties.v.exclusiveMinimum`: must be a number"]);
    assert_inside(&json!({ "minLength": -1 }), &["`properties.v.minLength`: must be a whole number, 0 or more"]);
    assert_inside(&json!({ "multipleOf": 0 }), &["`properties.v.multipleOf`: must be greater than 0"]);
    assert_inside(&json!({ "required": true }), &["`properties.v.required`: must be an array of strings"]);
    assert_inside(&json!({ "anyOf": [] }), &["`properties.v.anyOf`: must have at least one schema"]);
    assert_inside(&json!({ "properties": [] }), &["`properties.v.properties`: must be an object"]);
    assert_inside(&json!({ "uniqueItems": 1 }), &["`properties.v.uniqueItems`: must be a boolean"]);
    assert_inside(
        &json!({ "anyOf": [{ "items": 1 }] }),
        &["`properties.v.anyOf.0.items`: must be a schema: an object or a boolean"],
    );
}

#[test]
fn reports_unknown_and_outdated_keywords() {
    assert_inside(
        &json!({ "items": [{}], "additionalItems": false, "dependencies": {} }),
        &[
            "`properties.v.items`: must be one schema: write `prefixItems` for several",
            "`properties.v.additionalItems`: this keyword is from an older draft of JSON Schema; write `prefixItems` and `items` instead",
            "`properties.v.dependencies`: this keyword is from an older draft of JSON Schema; write `dependentRequired` or `dependentSchemas` instead",
        ],
    );
    assert_inside(
        &json!({ "minimun": 1, "maxLenght": 2, "unevaluatedProperty": false }),
        &[
            "`properties.v.minimun`: not a keyword of JSON Schema; did you mean `minimum`?",
            "`properties.v.maxLenght`: not a keyword of JSON Schema; did you mean `maxLength`?",
            "`properties.v.unevaluatedProperty`: not a keyword of JSON Schema; did you mean `unevaluatedProperties`?",
        ],
    );
}

#[test]
fn accepts_descriptive_keywords() {
    let described = json!({
        "title": "T", "description": "D", "default": 1, "examples": [1], "example": 1, "deprecated": true, "readOnly": true,
        "writeOnly": false, "$comment": "C", "x-order": 1, "nullable": true, "contentEncoding": "base64", "format": "byte",
        "enumNames": ["a"], "propertyOrdering": [], "x-mcp-header": "Tenant", "errorMessage": "no", "note": "N",
    });
    let schema = InputSchema::new(json!({ "type": "object", "properties": { "v": described } })).expect("good");
    assert_eq!(schema.to_value()["properties"]["v"], described);
    assert!(!schema.needs_check());
}

#[test]
fn reports_deep_schemas() {
    let mut schema = json!({ "type": "string" });
    for _ in 0..300 {
        schema = json!({ "items": schema });
    }
    assert_inside(&schema, &["the schema is nested too deeply"]);
}

#[cfg(not(feature = "jsonschema"))]
#[test]
fn reports_keywords_that_need_the_feature() {
    let enable_it = "is enforced only with the feature `jsonschema` of `mcp-runtime`: \
                     enable it (`cargo add mcp-runtime --features jsonschema`)";
    assert_inside(&json!({ "pattern": "^a" }), &[&format!("`properties.v.pattern`: {enable_it}")]);
    assert_inside(&json!({ "format": "idn-email" }), &[&format!("`properties.v.format`: {enable_it}")]);
    assert_inside(
        &json!({ "patternProperties": { "^x-": { "type": "string" } } }),
        &[&format!("`properties.v.patternProperties`: {enable_it}")],
    );
    assert_inside(
        &json!({ "unevaluatedProperties": false }),
        &[&format!("`properties.v.unevaluatedProperties`: {enable_it}")],
    );
}

#[cfg(feature = "jsonschema")]
#[test]
fn reports_invalid_patterns() {
    let problems = InputSchema::new(json!({ "properties": { "v": { "pattern": "(" } } })).expect_err("no pattern");
    assert!(problems[0].starts_with("`properties.v.pattern`: "), "{problems:?}");
}
