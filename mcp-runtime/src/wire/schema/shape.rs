//! The shape of schemas that hosts accept.
//!
//! - Anthropic's and OpenAI's APIs answer a whole request with 400 if the root of one tool's schema has `oneOf`,
//!   `anyOf` or `allOf` (OpenAI: also `not` or `enum`). Claude Code drops the tool silently.
//! - OpenAI rejects an object without `properties`, and hosts send schemas to OpenAI unchanged.
//! - Anthropic rejects property names outside `[A-Za-z0-9_.-]{1,64}`.
//! - Clients that check schemas with Ajv warn about every unknown `format`, such as `uint32`.
//! - Some hosts expect an object wherever a schema is allowed and fail on `true`.
//!
//! This shape is still exact. What hosts can convert is the subject of [`portable`](super::portable).

use serde_json::{Map, Value};

use super::{format::NumberFormat, keyword::for_each_inner};
use crate::wire::{
    protocol::{
        json::{get, object, set},
        text::json_string,
    },
    schema::value::{number::Number, types::Types},
};

/// Converts the root of an input schema to a shape that hosts accept. Adds a message to `problems` for each error.
pub(super) fn input_root(schema: Value, problems: &mut Vec<String>) -> Value {
    let keywords = match schema {
        Value::Object(keywords) => keywords,
        Value::Bool(true) => Map::new(),
        _ => {
            problems.push(
                "the schema is not an object: write `{ \"type\": \"object\", \"properties\": { … } }`".to_owned(),
            );
            return schema;
        }
    };
    for keyword in ["oneOf", "anyOf", "allOf", "not", "if", "enum", "const"] {
        if keywords.contains_key(keyword) {
            problems.push(format!("the root has `{keyword}`, which model APIs reject: {}", way_out(keyword)));
        }
    }
    // An enum without a type was reported above.
    let is_object = keywords.get("type").is_none_or(|types| Types::listed(types).holds(Types::OBJECT));
    if !is_object && problems.is_empty() {
        let given = serde_json::to_string(&keywords["type"]).unwrap_or_default();
        problems.push(format!(
            "the root is of type {given}, but arguments are always an object: use a struct with named fields"
        ));
    }
    // `null` (from an `Option` of the struct) is removed from the types, because arguments are always an object.
    let mut root = of_objects(keywords);
    root.entry("properties").or_insert_with(|| object([]));
    Value::Object(root)
}

/// Sets the type to `object`, as the first keyword.
fn of_objects(mut keywords: Map<String, Value>) -> Map<String, Value> {
    keywords.shift_remove("type");
    let mut root = Map::new();
    set(&mut root, "type", "object".into());
    root.extend(keywords);
    root
}

fn way_out(keyword: &str) -> &'static str {
    match keyword {
        "oneOf" | "anyOf" => {
            "use the enum as the type of a field (without `#[serde(flatten)]`, and not as `#[params]`), \
             or use a struct with optional fields"
        }
        "enum" | "const" => "move it into a property",
        _ => "move it into a property, or check it in the tool",
    }
}

/// Converts the root of an output schema to a shape that clients accept. If the schema accepts only objects, adds a
/// missing `type: "object"`. Without this `type`, clients of older revisions reject the whole list of tools.
pub(super) fn output_root(schema: Value) -> Value {
    let keywords = match schema {
        Value::Object(keywords) => keywords,
        Value::Bool(true) => Map::new(),
        other => return other,
    };
    let is_untyped_object = !keywords.contains_key("type") && is_always_object(&keywords);
    Value::Object(if is_untyped_object { of_objects(keywords) } else { keywords })
}

fn is_always_object(keywords: &Map<String, Value>) -> bool {
    let branches = ["oneOf", "anyOf"].iter().find_map(|union| keywords.get(*union)?.as_array());
    match branches {
        Some(branches) => branches.iter().all(|branch| branch.get("type").is_some_and(|name| name == "object")),
        None => keywords.contains_key("properties"),
    }
}

/// Removes what hosts do not need, such as `$schema`. Adds a message to `problems` for each property name that hosts
/// reject.
pub(super) fn tidy(schema: &mut Value, problems: &mut Vec<String>) {
    if let Value::Object(root) = schema {
        // schemars sets the root's title to the name of the Rust type, but the tool has its own title. Titles inside
        // were written by the author.
        root.shift_remove("$schema");
        root.shift_remove("title");
    }
    tidy_inside(schema, problems);
}

fn tidy_inside(schema: &mut Value, problems: &mut Vec<String>) {
    let Value::Object(keywords) = schema else { return };
    if let Some(Value::Object(properties)) = get(keywords, "properties") {
        for name in properties.keys().filter(|name| !is_accepted(name)) {
            problems.push(format!(
                "the property {} has a name that hosts reject: use up to 64 letters, digits, `_`, `.`, `-` \
                 (`#[serde(rename = \"…\")]`)",
                json_string(name),
            ));
        }
    }
    if let Some(Value::Array(required)) = keywords.get_mut("required") {
        // If two flattened structs have the same field, `required` lists the field twice, which is invalid.
        let mut index = 1;
        while index < required.len() {
            if required[..index].contains(&required[index]) {
                required.remove(index);
            } else {
                index += 1;
            }
        }
    }
    for_each_inner(keywords, |keyword, inner| {
        let says_whether = matches!(keyword, "additionalProperties" | "unevaluatedProperties" | "unevaluatedItems");
        if *inner == Value::Bool(true) && !says_whether {
            *inner = object([]);
        }
        tidy_inside(inner, problems);
    });
}

fn is_accepted(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte))
}

/// Replaces each format such as `uint32` by the range of the number type, because JSON Schema has no such formats. For
/// integers of 64 bits or more, no range is added, because such a large range does not help a model.
pub(super) fn replace_number_formats(schema: &mut Value) {
    let Value::Object(keywords) = schema else { return };
    if let Some(range) = get(keywords, "format").and_then(Value::as_str).and_then(NumberFormat::named) {
        keywords.shift_remove("format");
        let bounds = [("minimum", "exclusiveMinimum", range.low), ("maximum", "exclusiveMaximum", range.high)];
        for (bound, exclusive, end) in bounds {
            if let Some(end) = end.and_then(Number::to_json)
                && range.published
                && !keywords.contains_key(bound)
                && !keywords.contains_key(exclusive)
            {
                set(keywords, bound, end);
            }
        }
    }
    for_each_inner(keywords, |_, inner| replace_number_formats(inner));
}
