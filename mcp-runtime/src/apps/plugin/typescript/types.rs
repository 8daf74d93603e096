//! Writes JSON schemas as types of TypeScript.

use std::fmt::Write as _;

use serde_json::Value;

/// A schema that refers to itself is written as `unknown` below this depth.
const DEEPEST: usize = 16;

/// Returns the TypeScript type of the values that fit a schema. `indent` is the indentation of the type's lines, in
/// steps of two spaces.
pub(super) fn type_of(schema: &Value, indent: usize) -> String {
    TypeWriter { root: schema, indent }.type_of(schema, 0)
}

/// Returns `name` as the name of a TypeScript property, in quotes if necessary.
pub(super) fn property(name: &str) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '$');
    let starts_well = name.chars().next().is_some_and(|first| !first.is_ascii_digit());
    if starts_well && name.chars().all(is_plain) { name.to_owned() } else { Value::from(name).to_string() }
}

/// Writes a description as a comment.
pub(super) fn comment(out: &mut String, indent: usize, text: &str) {
    if text.is_empty() {
        return;
    }
    let pad = "  ".repeat(indent);
    let text = text.replace("*/", "*\\/");
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    // Writing to a string cannot fail.
    let _ = match &*lines {
        [line] => writeln!(out, "{pad}/** {line} */"),
        lines => {
            let body: String =
                lines.iter().map(|line| format!("{pad} * {line}").trim_end().to_owned() + "\n").collect();
            writeln!(out, "{pad}/**\n{body}{pad} */")
        }
    };
}

struct TypeWriter<'a> {
    root: &'a Value,
    indent: usize,
}

impl TypeWriter<'_> {
    fn type_of(&self, schema: &Value, depth: usize) -> String {
        if depth > DEEPEST {
            return "unknown".to_owned();
        }
        if let Some(reference) = schema["$ref"].as_str() {
            let target = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
            return target.map_or_else(|| "unknown".to_owned(), |target| self.type_of(target, depth + 1));
        }
        if let Some(value) = schema.get("const") {
            return value.to_string();
        }
        if let Some(values) = schema["enum"].as_array() {
            return union(values.iter().map(Value::to_string));
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(branches) = schema[key].as_array() {
                return union(branches.iter().map(|branch| self.type_of(branch, depth + 1)));
            }
        }
        if let Some(parts) = schema["allOf"].as_array() {
            let parts: Vec<_> = parts.iter().map(|part| self.type_of(part, depth + 1)).collect();
            return parts.join(" & ");
        }
        match &schema["type"] {
            Value::String(name) => self.named(name, schema, depth),
            Value::Array(names) => {
                union(names.iter().filter_map(Value::as_str).map(|name| self.named(name, schema, depth)))
            }
            _ if schema["properties"].is_object() => self.object(schema, depth),
            _ => "unknown".to_owned(),
        }
    }

    fn named(&self, name: &str, schema: &Value, depth: usize) -> String {
        match name {
            "string" | "boolean" | "null" => name.to_owned(),
            "number" | "integer" => "number".to_owned(),
            "array" => self.array(schema, depth),
            "object" => self.object(schema, depth),
            _ => "unknown".to_owned(),
        }
    }

    fn array(&self, schema: &Value, depth: usize) -> String {
        if let Some(items) = schema["prefixItems"].as_array() {
            let items: Vec<_> = items.iter().map(|item| self.type_of(item, depth + 1)).collect();
            return format!("[{}]", items.join(", "));
        }
        match schema.get("items") {
            Some(items) if items.is_object() => format!("Array<{}>", self.type_of(items, depth + 1)),
            _ => "unknown[]".to_owned(),
        }
    }

    fn object(&self, schema: &Value, depth: usize) -> String {
        let additional = schema.get("additionalProperties").filter(|additional| additional.is_object());
        let Some(properties) = schema["properties"].as_object().filter(|properties| !properties.is_empty()) else {
            return match additional {
                Some(values) => format!("Record<string, {}>", self.type_of(values, depth + 1)),
                None if schema["additionalProperties"] == false || schema.get("properties").is_some() => {
                    "Record<string, never>".to_owned()
                }
                None => "Record<string, unknown>".to_owned(),
            };
        };
        let required = |name: &str| {
            schema["required"].as_array().is_some_and(|required| required.iter().any(|known| known == name))
        };
        let is_described = properties.values().any(|property| property["description"].is_string());
        let member = |(name, schema): (&String, &Value)| {
            let optional = if required(name) { "" } else { "?" };
            format!("{}{optional}: {}", property(name), self.type_of(schema, depth + 1))
        };
        if !is_described || depth > 0 {
            let members: Vec<_> = properties.iter().map(member).collect();
            return format!("{{ {} }}", members.join("; "));
        }
        let mut out = "{\n".to_owned();
        for (name, schema) in properties {
            comment(&mut out, self.indent + 1, schema["description"].as_str().unwrap_or_default());
            let _ = writeln!(out, "{}{};", "  ".repeat(self.indent + 1), member((name, schema)));
        }
        out + &"  ".repeat(self.indent) + "}"
    }
}

/// Joins types with `|`. Each type appears only once.
fn union(types: impl Iterator<Item = String>) -> String {
    let mut distinct = Vec::new();
    for one in types {
        if !distinct.contains(&one) {
            distinct.push(one);
        }
    }
    if distinct.is_empty() { "never".to_owned() } else { distinct.join(" | ") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_keyword_has_its_type() {
        for (schema, expected) in [
            (json!({ "type": "string", "enum": ["a", "b"] }), r#""a" | "b""#),
            (json!({ "type": "string", "oneOf": [{ "const": "a", "title": "A" }, { "const": "b" }] }), r#""a" | "b""#),
            (json!({ "type": ["integer", "null"] }), "number | null"),
            (json!({ "type": "array", "items": { "type": "string", "enum": ["x", "y"] } }), r#"Array<"x" | "y">"#),
            (
                json!({ "type": "array", "prefixItems": [{ "type": "number" }, { "type": "boolean" }] }),
                "[number, boolean]",
            ),
            (json!({ "type": "object" }), "Record<string, unknown>"),
            (json!({ "type": "object", "properties": {} }), "Record<string, never>"),
            (json!({ "type": "object", "additionalProperties": { "type": "number" } }), "Record<string, number>"),
            (
                json!({ "type": "object", "properties": { "a-b": { "type": "string" }, "c": {} }, "required": ["c"] }),
                r#"{ "a-b"?: string; c: unknown }"#,
            ),
            (json!({ "$ref": "#/$defs/T", "$defs": { "T": { "type": "boolean" } } }), "boolean"),
            (json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }), "string | null"),
            (json!({}), "unknown"),
        ] {
            assert_eq!(type_of(&schema, 0), expected, "{schema}");
        }
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let list = json!({ "$ref": "#/$defs/L", "$defs": { "L": { "type": "object", "properties": { "next": { "$ref": "#/$defs/L" } } } } });
        assert!(type_of(&list, 0).contains("unknown"));
    }

    #[test]
    fn a_description_cannot_end_its_comment() {
        let mut out = String::new();
        comment(&mut out, 1, "One.\n\nTwo */ three.");
        assert_eq!(out, "  /**\n   * One.\n   *\n   * Two *\\/ three.\n   */\n");
    }
}
