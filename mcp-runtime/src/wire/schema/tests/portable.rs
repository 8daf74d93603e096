//! Checks the published form of input schemas.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    net::IpAddr,
    num::NonZeroI8,
};

use schemars::JsonSchema;
use serde_json::{Value, json};

use crate::wire::schema::{InputSchema, InputSettings, parameter::input_schema::generator, portable::SchemaStyle};

/// Returns the published form of a schema.
fn published(exact: Value, style: SchemaStyle) -> Value {
    let settings = InputSettings { style, ..InputSettings::default() };
    InputSchema::of_tool(exact, None, settings).expect("a good schema").to_value()
}

#[derive(JsonSchema)]
#[allow(dead_code, reason = "only its schema is used")]
struct Args<T> {
    v: T,
}

fn exact<T: JsonSchema>() -> Value {
    generator(schemars::generate::SchemaSettings::draft2020_12()).into_root_schema_for::<Args<T>>().to_value()
}

/// Checks the published form of the property `v` of type `T`, and that `v` is required only if it has to be there.
#[track_caller]
#[allow(clippy::needless_pass_by_value, reason = "`json!` makes values")]
fn assert_property<T: JsonSchema>(expected: Value, is_required: bool) {
    let schema = published(exact::<T>(), SchemaStyle::Portable);
    assert_eq!(schema["properties"]["v"], expected);
    assert_eq!(schema.get("required").is_some(), is_required);
    assert_eq!(schema.get("additionalProperties"), None);
}

/// The state of a task.
#[derive(JsonSchema, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code, reason = "only its schema is used")]
enum State {
    /// Nobody has begun.
    Open,
    /// Done.
    Completed,
    Lost,
}

#[derive(JsonSchema, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(dead_code, reason = "only its schema is used")]
enum Color {
    Red,
    Blue,
}

/// A place.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "only its schema is used")]
struct Place {
    /// The name.
    name: String,
    zip: Option<u8>,
}

#[derive(JsonSchema)]
#[serde(tag = "kind")]
#[allow(dead_code, reason = "only its schema is used")]
enum Shape {
    /// A circle.
    Circle {
        radius: Option<f64>,
    },
    Point,
}

#[derive(JsonSchema)]
#[allow(dead_code, reason = "only its schema is used")]
enum Mixed {
    /// All of them.
    All,
    Some(Vec<String>),
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
enum Id {
    Number(i64),
    Name(String),
    Nothing,
}

#[derive(JsonSchema)]
#[allow(dead_code, reason = "only its schema is used")]
struct Tree {
    value: u8,
    children: Vec<Tree>,
    next: Option<Box<Tree>>,
}

fn state() -> Value {
    json!({
        "type": "string", "enum": ["lost", "open", "completed"],
        "description": "The state of a task. `open`: Nobody has begun; `completed`: Done",
    })
}

fn place() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "description": "The name." },
            "zip": { "type": "integer", "minimum": 0, "maximum": 255 },
        },
        "required": ["name"],
        "description": "A place.",
    })
}

#[test]
fn an_optional_value_is_published_as_the_value_and_is_not_required() {
    assert_property::<Option<String>>(json!({ "type": "string" }), false);
    assert_property::<Option<Option<bool>>>(json!({ "type": "boolean" }), false);
    assert_property::<Option<Color>>(json!({ "type": "string", "enum": ["Red", "Blue"] }), false);
    assert_property::<Option<State>>(state(), false);
    assert_property::<Option<Place>>(place(), false);
    assert_property::<Option<Vec<Place>>>(json!({ "type": "array", "items": place() }), false);
    let range = json!({ "type": "integer", "minimum": -128, "maximum": 127, "description": "Not 0." });
    assert_property::<Option<NonZeroI8>>(range, false);
}

#[test]
fn a_null_that_cannot_be_left_out_is_described() {
    let number = |note: &str| json!({ "type": "integer", "minimum": 0, "maximum": 255, "description": note });
    let items = json!({ "type": "array", "items": number("`null` is allowed.") });
    assert_property::<Vec<Option<u8>>>(items, true);
    let map = json!({ "type": "object", "properties": {}, "additionalProperties": number("`null` is allowed.") });
    assert_property::<HashMap<String, Option<u8>>>(map, true);
    let required =
        json!({ "properties": { "v": { "type": ["string", "null"], "description": "The name" } }, "required": ["v"] });
    let expected = json!({ "type": "string", "description": "The name. `null` is allowed." });
    assert_eq!(published(required, SchemaStyle::Portable)["properties"]["v"], expected);
}

#[test]
fn an_enum_with_documented_variants_is_published_as_a_list_of_names() {
    assert_property::<State>(state(), true);
    assert_property::<Vec<State>>(json!({ "type": "array", "items": state() }), true);
    let map = json!({ "type": "object", "properties": {}, "additionalProperties": state() });
    assert_property::<HashMap<String, State>>(map, true);
    assert_property::<Color>(json!({ "type": "string", "enum": ["Red", "Blue"] }), true);
}

#[test]
fn a_tuple_is_published_as_a_list_of_its_types() {
    assert_property::<(String, bool)>(
        json!({
            "type": "array",
            "items": { "anyOf": [{ "type": "string" }, { "type": "boolean" }] },
            "minItems": 2, "maxItems": 2,
            "description": "The items, in this order: string, boolean.",
        }),
        true,
    );
    let floats = json!({ "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 });
    assert_property::<(f64, f64)>(floats.clone(), true);
    assert_property::<Option<(f64, f64)>>(floats.clone(), false);
    assert_property::<Vec<(f64, f64)>>(json!({ "type": "array", "items": floats }), true);
}

#[test]
fn only_formats_of_json_schema_are_published() {
    assert_property::<IpAddr>(json!({ "type": "string", "description": "An IPv4 or IPv6 address." }), true);
    assert_property::<Option<IpAddr>>(json!({ "type": "string", "description": "An IPv4 or IPv6 address." }), false);
    let formats = json!({ "properties": {
        "a": { "type": "string", "format": "partial-time", "description": "The start" },
        "b": { "type": "string", "format": "partial-date-time" },
        "c": { "type": "string", "format": "date" },
        "d": { "type": "string", "format": "color" },
    } });
    let expected = json!({
        "a": { "type": "string", "description": "The start. A time without an offset, such as 14:30:00." },
        "b": { "type": "string", "description": "A date and time without an offset, such as 2026-01-31T14:30:00." },
        "c": { "type": "string", "format": "date" },
        "d": { "type": "string" },
    });
    assert_eq!(published(formats, SchemaStyle::Portable)["properties"], expected);
}

#[test]
fn a_set_is_published_as_a_list() {
    let set = json!({ "type": "array", "items": { "type": "string" }, "description": "No item occurs twice." });
    assert_property::<HashSet<String>>(set, true);
}

#[test]
fn a_map_is_published_with_the_schema_of_its_values() {
    let texts = |note: Option<&str>| {
        let mut map = json!({ "type": "object", "properties": {}, "additionalProperties": { "type": "string" } });
        note.into_iter().for_each(|note| map["description"] = json!(note));
        map
    };
    assert_property::<BTreeMap<String, String>>(texts(None), true);
    assert_property::<HashMap<u32, String>>(texts(Some("Each key is a whole number.")), true);
    assert_property::<HashMap<i32, String>>(texts(Some("Each key is a whole number, which may be negative.")), true);
    let any = json!({ "type": "object", "properties": {}, "additionalProperties": {} });
    assert_property::<serde_json::Map<String, Value>>(any, true);
    let colors =
        json!({ "type": "object", "properties": { "Red": { "type": "string" }, "Blue": { "type": "string" } } });
    assert_property::<BTreeMap<Color, String>>(colors, true);
}

#[test]
fn any_value_is_described() {
    assert_property::<Value>(json!({ "description": "Any JSON value." }), true);
    assert_property::<Vec<Value>>(json!({ "type": "array", "items": { "description": "Any JSON value." } }), true);
}

#[test]
fn a_union_is_published_as_any_of_its_alternatives() {
    assert_property::<Shape>(
        json!({ "anyOf": [
            {
                "type": "object",
                "properties": { "kind": { "type": "string", "enum": ["Circle"] }, "radius": { "type": "number" } },
                "required": ["kind"],
                "description": "A circle.",
            },
            { "type": "object", "properties": { "kind": { "type": "string", "enum": ["Point"] } }, "required": ["kind"] },
        ] }),
        true,
    );
    assert_property::<Option<Mixed>>(
        json!({ "anyOf": [
            { "type": "string", "enum": ["All"], "description": "`All`: All of them" },
            {
                "type": "object",
                "properties": { "Some": { "type": "array", "items": { "type": "string" } } },
                "required": ["Some"],
            },
        ] }),
        false,
    );
    assert_property::<Option<Id>>(json!({ "anyOf": [{ "type": "integer" }, { "type": "string" }] }), false);
}

#[test]
fn several_types_are_published_as_alternatives_with_their_own_rules() {
    let schema = json!({ "properties": { "v": {
        "type": ["string", "integer", "number", "null"], "minLength": 1, "minimum": 5, "description": "An id",
    } } });
    let expected = json!({
        "description": "An id",
        "anyOf": [{ "type": "string", "minLength": 1 }, { "type": "number", "minimum": 5 }],
    });
    assert_eq!(published(schema, SchemaStyle::Portable)["properties"]["v"], expected);
}

#[test]
fn keywords_beside_a_union_are_published_in_each_alternative() {
    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema is used")]
    struct Sized {
        size: u8,
        #[serde(flatten)]
        shape: Shape,
    }
    let schema = published(exact::<Sized>(), SchemaStyle::Portable);
    let alternatives = schema["properties"]["v"]["anyOf"].as_array().expect("a union");
    for alternative in alternatives {
        assert!(alternative["properties"]["size"].is_object(), "{alternative}");
        assert_eq!(alternative["required"], json!(["kind", "size"]));
    }
    assert_eq!(schema["properties"]["v"].as_object().map(serde_json::Map::len), Some(1));
}

#[test]
fn recursion_is_written_out_once() {
    let value = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
    let cut = |place: &str| json!({ "type": "object", "properties": {}, "description": format!("Has the same form as {place}.") });
    let nested = |place: &str| {
        json!({
            "type": "object",
            "properties": { "value": value, "children": { "type": "array", "items": cut(place) }, "next": cut(place) },
            "required": ["value", "children"],
        })
    };
    assert_property::<Tree>(
        json!({
            "type": "object",
            "properties": {
                "value": value,
                "children": { "type": "array", "items": nested("`v.children[]`") },
                "next": nested("`v.next`"),
            },
            "required": ["value", "children"],
        }),
        true,
    );
    let root = generator(schemars::generate::SchemaSettings::draft2020_12()).into_root_schema_for::<Tree>().to_value();
    let root = published(root, SchemaStyle::Portable);
    assert_eq!(root["properties"]["next"], nested("`next`"));
    assert!(!root.to_string().contains("$"), "{root}");
}

#[test]
fn recursion_inside_of_all_of_is_written_out_once() {
    let next = json!({ "allOf": [{ "$ref": "#/$defs/Node" }], "description": "The next" });
    let node = json!({ "type": "object", "properties": { "next": next } });
    let schema = json!({ "type": "object", "properties": { "first": next }, "$defs": { "Node": node } });
    let cut = json!({
        "type": "object", "properties": {}, "description": "The next. Has the same form as `first`.",
    });
    let first = json!({ "type": "object", "properties": { "next": cut }, "description": "The next" });
    assert_eq!(published(schema, SchemaStyle::Portable)["properties"]["first"], first);
}

#[test]
fn a_long_chain_of_recursive_types_does_not_overflow_the_stack() {
    let refer = |at: usize| json!({ "type": "object", "properties": { "next": { "$ref": format!("#/$defs/T{at}") } } });
    let definitions: serde_json::Map<_, _> = (0..100).map(|at| (format!("T{at}"), refer((at + 1) % 100))).collect();
    let schema = json!({ "type": "object", "properties": { "first": { "$ref": "#/$defs/T0" } }, "$defs": definitions });
    assert!(!published(schema, SchemaStyle::Portable).to_string().contains("$ref"));
}

#[test]
fn mutual_recursion_stays_small() {
    let names: Vec<String> = (0..12).map(|at| format!("T{at}")).collect();
    let refer = |name: &String| (name.clone(), json!({ "$ref": format!("#/$defs/{name}") }));
    let properties: serde_json::Map<_, _> = names.iter().map(refer).collect();
    let one = json!({ "type": "object", "properties": properties });
    let definitions: serde_json::Map<_, _> = names.iter().map(|name| (name.clone(), one.clone())).collect();
    let schema = json!({ "type": "object", "properties": properties, "$defs": definitions });
    let text = published(schema, SchemaStyle::Portable).to_string();
    assert!(text.len() < 1_000_000, "{}", text.len());
    assert!(!text.contains("$ref"));
}

#[test]
fn rules_of_two_schemas_for_one_value_are_merged() {
    let schema = json!({
        "type": "object",
        "properties": {
            "v": { "$ref": "#/$defs/Word", "maxLength": 3 },
            "w": { "allOf": [{ "type": "number", "minimum": 1 }, { "type": "integer", "minimum": 3, "maximum": 9 }] },
        },
        "$defs": { "Word": { "type": "string", "maxLength": 5 } },
    });
    let expected = json!({
        "v": { "type": "string", "maxLength": 3 },
        "w": { "type": "integer", "minimum": 3, "maximum": 9 },
    });
    assert_eq!(published(schema, SchemaStyle::Portable)["properties"], expected);
}

#[test]
fn strict_style_closes_objects_with_listed_properties() {
    let schema = json!({
        "type": "object", "additionalProperties": false,
        "properties": {
            "place": { "type": "object", "properties": { "name": { "type": "string" } } },
            "labels": { "type": "object", "additionalProperties": { "type": "string" } },
            "open": { "type": "object", "properties": { "a": {} }, "additionalProperties": true },
            "any": { "type": "object" },
        },
    });
    let strict = published(schema.clone(), SchemaStyle::Strict);
    assert_eq!(strict["additionalProperties"], json!(false));
    let others = |name: &str| strict["properties"][name].get("additionalProperties").cloned();
    assert_eq!(others("place"), Some(json!(false)));
    assert_eq!(others("labels"), Some(json!({ "type": "string" })));
    assert_eq!(others("open"), Some(json!({})));
    assert_eq!(others("any"), None);
    let portable = published(schema, SchemaStyle::Portable);
    assert!(!portable.to_string().contains("false"), "{portable}");
}

#[test]
fn a_schema_without_a_portable_form_has_gaps() {
    let gaps = |exact: Value| {
        let schema = InputSchema::of_tool(exact, None, InputSettings::default()).expect("a good schema");
        schema.gaps.iter().map(|gap| gap.of_tool("t")).collect::<Vec<_>>()
    };
    assert_eq!(gaps(exact::<Option<Place>>()), [""; 0]);
    assert_eq!(gaps(exact::<(String, State)>()), [""; 0]);
    assert_eq!(gaps(exact::<Id>()), [""; 0]);
    assert_eq!(gaps(exact::<Shape>()), ["`v` of `t` (a union)"]);
    assert_eq!(gaps(exact::<Vec<Value>>()), ["`v[]` of `t` (any value)"]);
    assert_eq!(gaps(exact::<HashMap<String, u8>>()), ["`v` of `t` (a map)"]);
    assert_eq!(gaps(exact::<Tree>()), ["`v.children[]` of `t` (recursive)", "`v.next` of `t` (recursive)"]);
    let rule = json!({ "properties": { "v": { "type": "string", "not": { "maxLength": 3 } } } });
    assert_eq!(gaps(rule), ["`v` of `t` (the rule `not`)"]);
}

#[test]
fn a_verbatim_schema_has_gaps_at_keywords_that_hosts_refuse() {
    let schema = json!({
        "type": "object",
        "properties": { "a": { "$ref": "#/$defs/A" } },
        "allOf": [{ "required": ["a"] }],
        "$defs": { "A": { "type": "string" } },
    });
    let schema = InputSchema::verbatim(&schema, InputSettings::default()).expect("a good schema");
    let gaps: Vec<_> = schema.gaps.iter().map(|gap| gap.of_tool("t")).collect();
    assert_eq!(gaps, ["the arguments of `t` (the rule `allOf`)", "the arguments of `t` (the rule `$ref`)"]);
}
