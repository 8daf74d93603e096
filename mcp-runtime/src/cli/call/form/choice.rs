//! The values that a field lists, and their labels.

use std::fmt::{self, Display};

use serde_json::Value;

/// One of the values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    pub(super) value: Value,
    title: String,
}

impl Choice {
    /// Returns all values of a field, or of the elements of a list.
    pub(super) fn all(schema: &Value) -> Vec<Self> {
        let schema = schema.get("items").unwrap_or(schema);
        if let Some(titled) = ["oneOf", "anyOf"].iter().find_map(|keyword| schema[keyword].as_array()) {
            return titled.iter().map(|entry| Self::new(&entry["const"], &entry["title"])).collect();
        }
        let values = schema["enum"].as_array().into_iter().flatten();
        values.enumerate().map(|(at, value)| Self::new(value, &schema["enumNames"][at])).collect()
    }

    /// The choices of an optional boolean, besides leaving it out.
    pub(super) fn yes_or_no() -> Vec<Self> {
        [("yes", true), ("no", false)].map(|(word, value)| Self::new(&value.into(), &word.into())).into()
    }

    fn new(value: &Value, title: &Value) -> Self {
        let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
        let title = title.as_str().map_or_else(|| word(value), ToOwned::to_owned);
        Self { value: value.clone(), title: super::one_line(&title) }
    }
}

impl Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.title)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn reads_values_from_enum_one_of_and_any_of() {
        let titled = json!([{ "const": "w", "title": "Window" }, { "const": "a", "title": "Aisle" }]);
        for schema in [
            json!({ "type": "string", "oneOf": titled }),
            json!({ "type": "string", "enum": ["w", "a"], "enumNames": ["Window", "Aisle"] }),
            json!({ "type": "array", "items": { "anyOf": titled } }),
        ] {
            let choices = Choice::all(&schema);
            let told: Vec<_> =
                choices.iter().map(|choice| (choice.value.as_str().unwrap(), choice.to_string())).collect();
            assert_eq!(told, [("w", "Window".to_owned()), ("a", "Aisle".to_owned())]);
        }
        for schema in [json!({ "enum": ["w"] }), json!({ "type": "array", "items": { "enum": ["w"] } })] {
            assert_eq!(Choice::all(&schema)[0].to_string(), "w");
        }
        assert!(Choice::all(&json!({ "type": "string" })).is_empty());
    }
}
