//! The parameters of a tool, as its published schema describes them.

use serde_json::Value;

/// How many choices of a parameter are shown.
const MOST_CHOICES: usize = 12;

/// A parameter of a tool.
#[derive(Debug, PartialEq)]
pub(super) struct ShownParameter {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) is_required: bool,
    pub(super) description: String,
}

/// Returns the parameters of a tool with this schema, in its order.
pub(super) fn parameters(schema: &Value) -> Vec<ShownParameter> {
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema["properties"].as_object().into_iter().flatten();
    let parameters = properties.map(|(name, property)| ShownParameter {
        name: name.clone(),
        kind: kind(property, schema),
        is_required: required.contains(&&**name),
        description: property["description"].as_str().unwrap_or_default().trim().to_owned(),
    });
    parameters.collect()
}

/// Returns the type in words, such as `list of string`.
fn kind(property: &Value, root: &Value) -> String {
    let property = resolved(property, root);
    if let Some(choices) = property["enum"].as_array() {
        return chosen(choices.iter());
    }
    if let Some(value) = property.get("const") {
        return chosen([value].into_iter());
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(others) = property[key].as_array() {
            let constants: Vec<_> = others.iter().filter_map(|other| other.get("const")).collect();
            if constants.len() == others.len() {
                return chosen(constants.into_iter());
            }
            let kinds = others.iter().map(|other| kind(other, root)).filter(|kind| kind != "null");
            return alternatives(kinds.collect());
        }
    }
    match &property["type"] {
        Value::String(kind) if kind == "array" => list(property, root),
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) => {
            let kinds = kinds.iter().filter_map(Value::as_str).filter(|kind| *kind != "null");
            alternatives(
                kinds.map(|kind| if kind == "array" { list(property, root) } else { kind.to_owned() }).collect(),
            )
        }
        _ => "any".to_owned(),
    }
}

fn list(property: &Value, root: &Value) -> String {
    match property.get("items") {
        Some(items) => format!("list of {}", kind(items, root)),
        None => "list".to_owned(),
    }
}

/// Follows a reference into the definitions of the schema. A definition that refers to another one is an object.
fn resolved<'a>(property: &'a Value, root: &'a Value) -> &'a Value {
    static OBJECT: std::sync::LazyLock<Value> = std::sync::LazyLock::new(|| serde_json::json!({ "type": "object" }));
    let Some(reference) = property["$ref"].as_str() else { return property };
    let target = reference.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
    target.filter(|target| target.get("$ref").is_none() && !refers(target)).unwrap_or(&OBJECT)
}

/// Whether a schema can lead to itself.
fn refers(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members.iter().any(|(name, value)| name == "$ref" || refers(value)),
        Value::Array(values) => values.iter().any(refers),
        _ => false,
    }
}

fn chosen<'v>(values: impl ExactSizeIterator<Item = &'v Value>) -> String {
    let more = values.len().saturating_sub(MOST_CHOICES);
    let shown = values.take(MOST_CHOICES).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    let shown = shown.collect::<Vec<_>>().join(" | ");
    if more == 0 { shown } else { format!("{shown} | {more} more") }
}

fn alternatives(mut kinds: Vec<String>) -> String {
    kinds.dedup();
    if kinds.is_empty() { "null".to_owned() } else { kinds.join(" or ") }
}
