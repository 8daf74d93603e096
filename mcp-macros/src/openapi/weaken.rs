//! Weaker schemas where the converted ones lack rules of the document: the server must not reject what the document allows.

use serde_json::{Map, Value, json};

/// Makes a schema of a result that has no limits as weak as they make it: a value can then match several alternatives.
/// Some documents require members that they do not describe, and services do not send these.
pub(super) fn weaken(schema: &mut Map<String, Value>) {
    alternatives_may_overlap(schema);
    if let Some(Value::Object(properties)) = schema.get("properties") {
        let described: Vec<_> = properties.keys().cloned().collect();
        if let Some(Value::Array(required)) = schema.get_mut("required") {
            required.retain(|name| name.as_str().is_some_and(|name| described.iter().any(|known| known == name)));
        }
    }
}

/// Drops the conditions among the `incomplete` keywords of a schema of arguments: without one of its rules, a condition is met
/// too often, and the server would reject what the service takes.
pub(super) fn drop_conditions(schema: &mut Map<String, Value>, incomplete: &[&str]) {
    for keyword in incomplete {
        match *keyword {
            "not" | "if" => _ = schema.shift_remove(*keyword),
            "contains" => _ = schema.shift_remove("maxContains"),
            "oneOf" => alternatives_may_overlap(schema),
            _ => {}
        }
    }
    if !schema.contains_key("if") {
        schema.shift_remove("then");
        schema.shift_remove("else");
    }
}

/// Allows a value to match several of the alternatives.
fn alternatives_may_overlap(schema: &mut Map<String, Value>) {
    if let Some(alternatives) = schema.shift_remove("oneOf") {
        match schema.shift_remove("anyOf") {
            None => _ = schema.insert("anyOf".to_owned(), alternatives),
            Some(others) => {
                let all = schema.entry("allOf").or_insert_with(|| json!([]));
                if let Value::Array(all) = all {
                    all.extend([json!({ "anyOf": alternatives }), json!({ "anyOf": others })]);
                }
            }
        }
    }
}
