//! Schemas of arguments, with what a server or the API of a model would reject.

use serde_json::{Value, json};

use super::{body, operation};

/// Returns the schema of the only argument of a body.
fn converted(schema: &Value) -> Value {
    let schema = json!({ "type": "object", "properties": { "it": schema } });
    let read = operation("3.1.0", "/p", "post", &body(&schema), &json!({})).unwrap();
    read.input["properties"]["it"].clone()
}

#[test]
fn a_property_that_models_cannot_name_is_only_in_the_description() {
    let properties = json!({ "a[b]": {}, "@odata.type": {}, "x y": { "readOnly": true }, "plain": {} });
    let schema = converted(&json!({ "type": "object", "description": "Its parts.", "properties": properties }));
    assert_eq!(
        schema,
        json!({
            "type": "object",
            "description": "Its parts.\nIt can also have `a[b]`, `@odata.type`.",
            "properties": { "plain": {} },
        })
    );
    let mut value = body(&json!({ "type": "object", "properties": { "$set": {} } }));
    value["requestBody"]["description"] = "A change.".into();
    let read = operation("3.1.0", "/p", "post", &value, &json!({})).unwrap();
    assert_eq!(read.input["properties"]["body"]["description"], "A change.\nIt can also have `$set`.");
}

#[test]
fn a_default_that_does_not_fit_is_left_out() {
    for (schema, fits) in [
        (json!({ "type": "integer", "minimum": 1, "default": 0 }), false),
        (json!({ "type": "integer", "minimum": 1, "default": 1 }), true),
        (json!({ "type": "integer", "exclusiveMinimum": 1, "default": 1 }), false),
        (json!({ "type": "number", "maximum": 1.5, "default": 2 }), false),
        (json!({ "type": "number", "exclusiveMaximum": 1.5, "default": 1.25 }), true),
        (json!({ "type": "integer", "multipleOf": 5, "default": 7 }), false),
        (json!({ "type": "integer", "multipleOf": 5, "default": 10 }), true),
        (json!({ "type": "string", "minLength": 1, "default": "" }), false),
        (json!({ "type": "string", "maxLength": 2, "default": "éé" }), true),
        (json!({ "type": "string", "format": "date", "default": "" }), false),
        (json!({ "type": "string", "format": "colour", "default": "" }), true),
        (json!({ "type": "string", "pattern": "^a$", "default": "b" }), false),
        (json!({ "type": "string", "enum": ["a"], "default": "b" }), false),
        (json!({ "type": "string", "anyOf": [{ "const": "a" }], "default": "b" }), false),
    ] {
        assert_eq!(converted(&schema).get("default").is_some(), fits, "{schema}");
    }
}

#[test]
fn a_keyword_with_a_value_that_it_cannot_have_is_left_out() {
    let schema = json!({
        "maxLength": "10", "minItems": -1, "maximum": "100", "multipleOf": 0, "uniqueItems": "true", "pattern": "(?i)[a",
        "dependentRequired": ["a"], "anyOf": [], "required": true,
    });
    assert_eq!(converted(&schema), json!({}));
    let kept = json!({
        "maxLength": 10, "minItems": 0, "maximum": 1.5, "multipleOf": 0.5, "uniqueItems": true,
        "pattern": r"^[\w\-]+(?=b)\p{L}$", "dependentRequired": { "a": ["b"] }, "required": ["a"],
    });
    assert_eq!(converted(&kept), kept);
    assert_eq!(converted(&json!({ "required": ["a", 1] })), json!({ "required": ["a"] }));
}

#[test]
fn a_pattern_that_a_server_cannot_compile_is_left_out() {
    for (pattern, compiles) in [
        (r"^[\w\-]+$", true),
        ("(?i)^a$", true),
        (r"^(?!x)\p{L}(a)\1$", true),
        (r"^[\w-.]+$", false),
        ("(?=a)[", false),
        (r"(a)\1[", false),
        (r"^a\Z", false),
    ] {
        assert_eq!(converted(&json!({ "pattern": pattern })).get("pattern").is_some(), compiles, "{pattern}");
    }
}

#[test]
fn two_schemas_have_two_definitions() {
    let property = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let schema = json!({ "properties": {
        "user": property("用户"), "order": property("订单"), "again": property("用户"), "one": property("A B"), "two": property("A_B"),
    } });
    let schemas = json!({
        "用户": { "type": "string" }, "订单": { "type": "integer" }, "A B": { "const": 1 }, "A_B": { "const": 2 },
    });
    let input = operation("3.1.0", "/p", "post", &body(&schema), &schemas).unwrap().input;
    let target = |name: &str| {
        let reference = input["properties"][name]["$ref"].as_str().unwrap();
        input.pointer(reference.trim_start_matches('#')).unwrap().clone()
    };
    assert_eq!((target("user"), target("order")), (json!({ "type": "string" }), json!({ "type": "integer" })));
    assert_eq!((target("one"), target("two")), (json!({ "const": 1 }), json!({ "const": 2 })));
    assert_eq!(target("again"), target("user"));
    assert_eq!(input["$defs"].as_object().unwrap().len(), 4);
}
