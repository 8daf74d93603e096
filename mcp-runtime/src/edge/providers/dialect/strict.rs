//! Schemas for OpenAI's strict mode.

use serde_json::{Map, Value, json};

/// Converts a schema for strict mode, which requires every property, allows no additional properties, and supports few
/// keywords. The new schema has all rules of `schema` that strict mode can express. Returns `None` if `schema` needs a
/// feature that strict mode lacks.
pub(super) fn narrowed(schema: &Value) -> Option<Value> {
    let is_object = schema.get("type").and_then(Value::as_str) == Some("object");
    (is_object && schema.get("anyOf").is_none() && schema.get("oneOf").is_none()).then(|| narrow(schema))?
}

fn narrow(schema: &Value) -> Option<Value> {
    let schema = schema.as_object()?;
    let mut narrowed = Map::new();
    for (keyword, value) in schema {
        let value = match keyword.as_str() {
            "properties" | "$defs" => Value::Object(
                value.as_object()?.iter().map(|(name, it)| Some((name.clone(), narrow(it)?))).collect::<Option<_>>()?,
            ),
            "items" => narrow(value)?,
            // The branches are variants of an enum, of which at most one matches.
            "anyOf" | "oneOf" => {
                let ways: Vec<_> = value.as_array()?.iter().map(narrow).collect::<Option<_>>()?;
                narrowed.insert("anyOf".to_owned(), ways.into());
                continue;
            }
            "format" if is_known_format(value) => value.clone(),
            "type" | "title" | "description" | "enum" | "const" | "$ref" | "minItems" | "maxItems" | "pattern"
            | "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => value.clone(),
            // Without one of these keywords the schema would mean something else.
            "allOf"
            | "not"
            | "if"
            | "then"
            | "else"
            | "patternProperties"
            | "propertyNames"
            | "prefixItems"
            | "dependentRequired"
            | "dependentSchemas"
            | "unevaluatedProperties" => return None,
            // The reply is validated against the full schema anyway.
            _ => continue,
        };
        narrowed.insert(keyword.clone(), value);
    }
    if is_object(&narrowed) {
        // A map has arbitrary keys, which strict mode does not support.
        if schema.get("additionalProperties").is_some_and(|more| more.is_object()) {
            return None;
        }
        let names: Vec<_> = narrowed.get("properties")?.as_object()?.keys().cloned().collect();
        narrowed.insert("required".to_owned(), names.into());
        narrowed.insert("additionalProperties".to_owned(), json!(false));
    }
    // Strict mode does not support a schema without a type.
    let says = ["type", "enum", "const", "anyOf", "$ref"].iter().any(|keyword| narrowed.contains_key(*keyword));
    says.then_some(Value::Object(narrowed))
}

/// Returns whether strict mode supports this value of `format`.
fn is_known_format(format: &Value) -> bool {
    let known = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
    known.iter().any(|known| format == known)
}

fn is_object(schema: &Map<String, Value>) -> bool {
    match schema.get("type") {
        Some(Value::String(name)) => name == "object",
        Some(Value::Array(names)) => names.iter().any(|name| name == "object"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::narrowed;

    #[test]
    fn requires_every_property_and_allows_no_other() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "cell": { "type": "integer", "format": "uint8", "minimum": 0, "maximum": 8 },
                "on": { "type": ["string", "null"], "format": "date", "default": null },
                "next": { "anyOf": [{ "$ref": "#/$defs/Next" }, { "type": "null" }] },
                "kind": { "oneOf": [{ "const": "a", "description": "A." }, { "const": "b" }] },
            },
            "required": ["cell"],
            "$defs": { "Next": { "type": "object", "properties": {} } },
        });
        let expected = json!({
            "type": "object",
            "properties": {
                "cell": { "type": "integer", "minimum": 0, "maximum": 8 },
                "on": { "type": ["string", "null"], "format": "date" },
                "next": { "anyOf": [{ "$ref": "#/$defs/Next" }, { "type": "null" }] },
                "kind": { "anyOf": [{ "const": "a", "description": "A." }, { "const": "b" }] },
            },
            "$defs": {
                "Next": { "type": "object", "properties": {}, "required": [], "additionalProperties": false },
            },
            "required": ["cell", "on", "next", "kind"],
            "additionalProperties": false,
        });
        assert_eq!(narrowed(&schema), Some(expected));
    }

    #[test]
    fn returns_none_for_unsupported_schemas() {
        let field = |schema| json!({ "type": "object", "properties": { "x": schema } });
        for schema in [
            json!({ "type": "string" }),
            json!({ "type": "object" }),
            json!({ "type": "object", "oneOf": [] }),
            json!(true),
            field(json!(true)),
            field(json!({})),
            field(json!({ "type": "object", "additionalProperties": { "type": "string" } })),
            field(json!({ "type": "object", "properties": {}, "additionalProperties": { "type": "string" } })),
            field(json!({ "allOf": [{ "type": "string" }] })),
            field(json!({ "type": "array", "items": { "not": {} } })),
        ] {
            assert_eq!(narrowed(&schema), None, "{schema}");
        }
    }
}
