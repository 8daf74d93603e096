//! Checks the published schemas.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Value, json};

use super::output_schema;
use crate::wire::schema::InputSchema;

#[track_caller]
fn assert_published(given: Value, wanted: &Value) {
    let schema = InputSchema::new(given).expect("a good schema");
    // Compared as text, because the order counts.
    assert_eq!(schema.to_value().to_string(), wanted.to_string());
}

fn of_type<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

#[test]
fn publishes_a_struct() {
    /// Where to go.
    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema is used")]
    struct Search {
        /// IATA code.
        destination: String,
        #[schemars(range(min = 1, max = 50))]
        limit: Option<u32>,
        #[schemars(title = "Budget")]
        budget: f64,
        count: u64,
        offset: i16,
        extra: Value,
    }
    assert_published(
        of_type::<Search>(),
        &json!({
            "type": "object",
            "properties": {
                "destination": { "type": "string", "description": "IATA code." },
                "limit": { "type": ["integer", "null"], "minimum": 1, "maximum": 50 },
                "budget": { "type": "number", "title": "Budget" },
                "count": { "type": "integer", "minimum": 0 },
                "offset": { "type": "integer", "minimum": -32768, "maximum": 32767 },
                "extra": {},
            },
            "required": ["destination", "budget", "count", "offset", "extra"],
            "description": "Where to go.",
        }),
    );
}

#[test]
fn publishes_the_range_of_32_bit_integers() {
    assert_published(
        json!({ "properties": {
            "a": { "type": "integer", "format": "int32" },
            "b": { "type": "integer", "format": "uint32", "exclusiveMinimum": 0 },
        } }),
        &json!({ "type": "object", "properties": {
            "a": { "type": "integer", "minimum": i32::MIN, "maximum": i32::MAX },
            "b": { "type": "integer", "exclusiveMinimum": 0, "maximum": u32::MAX },
        } }),
    );
}

#[test]
fn publishes_empty_and_open_schemas() {
    #[derive(JsonSchema)]
    struct Nothing {}
    let any_object = json!({ "type": "object", "properties": {} });
    assert_published(of_type::<Nothing>(), &any_object);
    assert_published(of_type::<Value>(), &any_object);
    assert_published(json!(true), &any_object);
    assert_published(
        json!({ "type": "object", "additionalProperties": false }),
        &json!({ "type": "object", "additionalProperties": false, "properties": {} }),
    );
}

#[test]
fn publishes_an_optional_struct_as_the_struct() {
    assert_published(
        json!({ "title": "Nullable", "type": ["object", "null"], "properties": { "a": true } }),
        &json!({ "type": "object", "properties": { "a": {} } }),
    );
}

#[test]
fn inlines_references() {
    assert_published(
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$ref": "#/$defs/Args",
            "$defs": {
                "Args": {
                    "type": "object",
                    "properties": { "from": { "$ref": "#/$defs/Day", "description": "First day" }, "to": { "$ref": "#/$defs/Day" } },
                },
                "Day": { "type": "string", "format": "date", "description": "A day" },
            },
        }),
        &json!({
            "type": "object",
            "properties": {
                "from": { "type": "string", "format": "date", "description": "First day" },
                "to": { "type": "string", "format": "date", "description": "A day" },
            },
        }),
    );
}

#[test]
fn keeps_recursive_references() {
    let node = json!({ "type": "object", "properties": { "next": { "$ref": "#/$defs/Node" }, "day": { "$ref": "#/$defs/Day" } } });
    let written_out =
        json!({ "type": "object", "properties": { "next": { "$ref": "#/$defs/Node" }, "day": { "type": "string" } } });
    let day = json!({ "type": "string" });
    assert_published(
        json!({ "type": "object", "properties": { "first": { "$ref": "#/$defs/Node" } }, "$defs": { "Day": day, "Node": node } }),
        &json!({ "type": "object", "properties": { "first": { "$ref": "#/$defs/Node" } }, "$defs": { "Node": written_out } }),
    );
    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema is used")]
    struct Tree {
        children: Vec<Tree>,
    }
    // A definition that only refers to itself.
    let mut tree = of_type::<Tree>();
    tree["$defs"] = json!({ "Tree": { "items": { "$ref": "#/$defs/Tree" } } });
    assert_published(
        tree,
        &json!({ "type": "object", "properties": { "children": { "type": "array", "items": { "$ref": "#" } } }, "required": ["children"] }),
    );
}

#[test]
fn resolves_escaped_references() {
    assert_published(
        json!({
            "type": "object",
            "properties": { "v": { "$ref": "#/$defs/a~1b%20c%C3%A9" }, "w": { "$ref": "#/definitions/w/items" } },
            "$defs": { "a/b cé": { "type": "string" } },
            "definitions": { "w": { "items": { "type": "null" } } },
        }),
        &json!({ "type": "object", "properties": { "v": { "type": "string" }, "w": { "type": "null" } } }),
    );
}

#[test]
fn inlines_a_recursive_root_once() {
    let node = json!({ "type": "object", "properties": { "next": { "$ref": "#/$defs/Node" } } });
    assert_published(
        json!({ "$ref": "#/$defs/Node", "$defs": { "Node": node } }),
        &json!({ "type": "object", "properties": { "next": { "$ref": "#/$defs/Node" } }, "$defs": { "Node": node } }),
    );
}

#[test]
fn keeps_constraints_beside_a_reference() {
    let schema = json!({
        "type": "object",
        "properties": { "v": { "$ref": "#/$defs/Word", "maxLength": 3 } },
        "$defs": { "Word": { "type": "string", "maxLength": 5 } },
    });
    assert_published(
        schema,
        &json!({
            "type": "object",
            "properties": { "v": { "maxLength": 3, "allOf": [{ "type": "string", "maxLength": 5 }] } },
        }),
    );
}

#[test]
fn lists_required_names_once() {
    assert_published(
        json!({ "type": "object", "properties": { "a": {} }, "required": ["a", "a"] }),
        &json!({ "type": "object", "properties": { "a": {} }, "required": ["a"] }),
    );
}

#[test]
fn publishes_outputs_as_objects_if_possible() {
    #[derive(JsonSchema)]
    #[serde(tag = "kind")]
    #[allow(dead_code, reason = "only its schema is used")]
    enum Outcome {
        Found { at: u32 },
        Missing,
    }
    let outcome = output_schema(of_type::<Outcome>()).expect("good");
    assert_eq!(outcome["type"], "object");
    assert_eq!(
        outcome["oneOf"][0]["properties"]["at"],
        json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX })
    );
    assert_eq!(output_schema(of_type::<Vec<String>>()), Ok(json!({ "type": "array", "items": { "type": "string" } })));
    assert_eq!(output_schema(of_type::<u64>()), Ok(json!({ "type": "integer", "minimum": 0 })));
    assert_eq!(output_schema(of_type::<Value>()), Ok(json!({})));
    // Results are not checked, so keywords that need the feature are published anyway.
    let pattern = json!({ "type": "object", "properties": { "größe": { "type": "string", "pattern": "^a" } } });
    assert_eq!(output_schema(pattern.clone()), Ok(pattern));
    assert!(output_schema(json!({ "type": "objekt" })).is_err());
}
