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
        (r"^\p{Alnum}+$", true),
        (r"^\p{javaLetter}+$", false),
        // The compiled form is larger than the server allows.
        ("^.{1,65535}$", false),
    ] {
        assert_eq!(converted(&json!({ "pattern": pattern })).get("pattern").is_some(), compiles, "{pattern}");
    }
}

#[test]
fn a_condition_without_one_of_its_rules_rejects_nothing() {
    let bad = json!({ "pattern": r"^[\w-.]+$" });
    for inner in [
        bad.clone(),
        json!({ "format": "cidr" }),
        json!({ "maxLength": "9" }),
        json!({ "enum": "a" }),
        json!({ "properties": { "@type": { "const": "a" } } }),
        json!({ "patternProperties": { "[": {} } }),
        json!({ "unevaluatedProperties": false }),
        json!({ "items": { "not": bad } }),
    ] {
        let schema = json!({ "not": inner, "if": inner, "then": false, "else": false, "oneOf": [inner, {}] });
        let schema = converted(&schema);
        let keywords: Vec<_> = schema.as_object().unwrap().keys().collect();
        assert_eq!(keywords, ["anyOf"], "{inner}");
    }
    let exact = json!({ "pattern": "^a$", "format": "uuid" });
    let kept = json!({ "not": exact, "if": exact, "then": exact, "else": exact, "oneOf": [exact, {}] });
    assert_eq!(converted(&kept), kept);
    let counted = json!({ "contains": bad, "maxContains": 1, "minContains": 1 });
    assert_eq!(converted(&counted), json!({ "contains": {}, "minContains": 1 }));
    let both = converted(&json!({ "anyOf": [{ "minimum": 1 }], "oneOf": [bad, { "format": "uuid" }] }));
    assert_eq!(both, json!({ "allOf": [{ "anyOf": [{}, { "format": "uuid" }] }, { "anyOf": [{ "minimum": 1 }] }] }));
}

#[test]
fn a_definition_without_one_of_its_rules_rejects_nothing_wherever_it_is_used() {
    let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let schemas = json!({
        "Bad": { "pattern": "[" }, "Good": { "pattern": "a" },
        "Tree": { "properties": { "child": { "oneOf": [reference("Tree"), {}] }, "name": reference("Bad") } },
    });
    let one = |name: &str| json!({ "oneOf": [reference(name), {}] });
    let properties = json!({ "bad": one("Bad"), "again": one("Bad"), "good": one("Good"), "tree": reference("Tree") });
    let input = operation("3.1.0", "/p", "post", &body(&json!({ "properties": properties })), &schemas).unwrap().input;
    let alternatives =
        |pointer: &str| input.pointer(pointer).unwrap().as_object().unwrap().keys().next().unwrap().clone();
    for (pointer, keyword) in [
        ("/properties/bad", "anyOf"),
        ("/properties/again", "anyOf"),
        ("/properties/good", "oneOf"),
        ("/$defs/Tree/properties/child", "anyOf"),
    ] {
        assert_eq!(alternatives(pointer), keyword, "{pointer}");
    }
}

#[test]
fn an_object_takes_members_that_its_schema_does_not_name() {
    for others in [json!(false), json!({ "type": "string" })] {
        let named = json!({ "properties": { "@type": {}, "id": {} }, "additionalProperties": others });
        let description = "It can also have `@type`.";
        assert_eq!(converted(&named), json!({ "description": description, "properties": { "id": {} } }));
        let matched = json!({ "patternProperties": { r"^[\w-.]+$": {}, "^x-": {} }, "additionalProperties": others });
        assert_eq!(converted(&matched), json!({ "patternProperties": { "^x-": {} } }));
    }
    let closed =
        json!({ "properties": { "id": {} }, "patternProperties": { "^x-": {} }, "additionalProperties": false });
    assert_eq!(converted(&closed), closed);
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
