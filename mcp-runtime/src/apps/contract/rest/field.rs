//! Fields of an input that a client sends as text, in the path or in the query.

use serde::de::IgnoredAny;
use serde_json::{Number, Value};

use crate::apps::contract::Descriptor;

/// How the text of a field is converted to JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum QueryField {
    Text,
    Number,
    Boolean,
    /// A repeated parameter.
    List(Box<Self>),
    /// JSON text.
    Json,
}

impl QueryField {
    /// Returns the conversion for a field with this schema.
    pub(super) fn of(schema: &Value, descriptor: &Descriptor) -> Self {
        Self::within(schema, descriptor, 0)
    }

    fn within(schema: &Value, descriptor: &Descriptor, depth: usize) -> Self {
        // A schema can contain itself, so the depth is limited.
        if depth > 8 {
            return Self::Json;
        }
        let schema = descriptor.resolve(schema);
        let within = |schema: &Value| Self::within(schema, descriptor, depth + 1);
        if let Some(ty) = only_type(schema) {
            return match (ty, &schema["items"]) {
                ("string", _) => Self::Text,
                ("integer" | "number", _) => Self::Number,
                ("boolean", _) => Self::Boolean,
                ("array", items @ (Value::Object(_) | Value::Bool(_))) => match within(items) {
                    // A list of lists or of objects is sent as one JSON text.
                    Self::List(_) | Self::Json => Self::Json,
                    item => Self::List(Box::new(item)),
                },
                _ => Self::Json,
            };
        }
        if let Some(values) = schema["enum"].as_array() {
            return if values.iter().all(Value::is_string) { Self::Text } else { Self::Json };
        }
        if schema["const"].is_string() {
            return Self::Text;
        }
        let branches = ["anyOf", "oneOf", "allOf"].iter().find_map(|key| schema[*key].as_array());
        let branches = branches.into_iter().flatten().filter(|branch| branch["type"] != "null");
        let mut kinds = branches.map(within);
        match kinds.next() {
            Some(first) if kinds.all(|other| other == first) => first,
            _ => Self::Json,
        }
    }

    /// Converts these texts and appends the JSON. A text that does not match the schema becomes a JSON string. The
    /// later check of the input reports this text.
    pub(super) fn write(&self, texts: &[impl AsRef<str>], json: &mut String) {
        match (self, texts) {
            (Self::List(item), texts) => {
                json.push('[');
                for (index, text) in texts.iter().enumerate() {
                    if index > 0 {
                        json.push(',');
                    }
                    item.write_one(text.as_ref(), json);
                }
                json.push(']');
            }
            // A parameter that is given twice becomes a list, and the check of the input reports this.
            (_, [_, _, ..]) => Self::List(Box::new(Self::Text)).write(texts, json),
            (_, texts) => self.write_one(texts.first().map_or("", |text| text.as_ref()), json),
        }
    }

    fn write_one(&self, text: &str, json: &mut String) {
        let is_json = match self {
            Self::Text => false,
            Self::Number => !text.contains(char::is_whitespace) && serde_json::from_str::<Number>(text).is_ok(),
            Self::Boolean => ["true", "false"].contains(&text),
            Self::List(_) | Self::Json => serde_json::from_str::<IgnoredAny>(text).is_ok(),
        };
        if is_json { json.push_str(text) } else { json.push_str(&Value::from(text).to_string()) }
    }
}

/// Returns the type of a schema that has exactly one type apart from `null`.
fn only_type(schema: &Value) -> Option<&str> {
    match &schema["type"] {
        Value::String(ty) => Some(ty),
        Value::Array(types) => {
            let mut types = types.iter().filter_map(Value::as_str).filter(|ty| *ty != "null");
            types.next().filter(|_| types.next().is_none())
        }
        _ => None,
    }
}
