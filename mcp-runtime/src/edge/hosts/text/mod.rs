//! New text of files: how values are written in each format.

pub(crate) mod json;
pub(crate) mod toml;
pub(crate) mod yaml;

use serde_json::{Map, Value};

use super::format::{FileFormat, SlotPlace, ValueSlot};

impl FileFormat {
    /// Returns a file that contains these values and nothing else.
    ///
    /// # Errors
    /// If a value is in another one, or is an element of a list in a format that is not JSON.
    pub(crate) fn file_of(self, values: &[(ValueSlot, Value)]) -> Result<String, String> {
        let mut top = Map::new();
        for (slot, value) in values {
            slot.put(&mut top, value)?;
        }
        Ok(match self {
            Self::Json => format!("{}\n", json::lines(&Value::Object(top), "", "  ")),
            Self::Yaml => top.iter().map(|(name, value)| yaml::block(name, value, 0, 2)).collect(),
            Self::Toml => {
                let tables = values.iter().map(|(slot, value)| match (&slot.place, value) {
                    (SlotPlace::Member(name), Value::Object(members)) => {
                        let path: Vec<_> = slot.tables.iter().chain([name]).map(String::as_str).collect();
                        Ok(toml::block(&path, members))
                    }
                    _ => Err("the value is not a table".to_owned()),
                });
                tables.collect::<Result<Vec<_>, _>>()?.join("\n")
            }
        })
    }
}

/// Returns the string in double quotes, as JSON, TOML and YAML read it: the characters that one of them rejects are
/// escaped.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    for char in Value::from(text).to_string().chars() {
        match char {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                quoted.push_str(&format!("\\u{:04x}", char as u32));
            }
            _ => quoted.push(char),
        }
    }
    quoted
}

/// Returns the value as JSON on one line, which is YAML as well.
pub(crate) fn one_line(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(elements) => {
            let elements: Vec<_> = elements.iter().map(one_line).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Object(members) => {
            let members: Vec<_> =
                members.iter().map(|(name, value)| format!("{}: {}", quoted(name), one_line(value))).collect();
            format!("{{{}}}", members.join(", "))
        }
        _ => value.to_string(),
    }
}
