//! New tables and values of a TOML file.

use serde_json::{Map, Value};

use super::quoted;

/// Returns a table with a header, and the tables inside of it with headers of their own.
pub(crate) fn block(path: &[&str], members: &Map<String, Value>) -> String {
    let path_text: Vec<_> = path.iter().map(|name| key(name)).collect();
    let mut text = format!("[{}]\n", path_text.join("."));
    let (tables, values): (Vec<_>, Vec<_>) =
        members.iter().partition(|(_, value)| value.as_object().is_some_and(|members| !members.is_empty()));
    for (name, value) in values {
        text.push_str(&format!("{} = {}\n", key(name), inline(value)));
    }
    for (name, value) in tables {
        if let Value::Object(members) = value {
            text.push_str(&format!("\n{}", block(&[path, &[name]].concat(), members)));
        }
    }
    text
}

pub(crate) fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    if !name.is_empty() && name.bytes().all(is_bare) { name.to_owned() } else { quoted(name) }
}

pub(crate) fn inline(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(elements) => format!("[{}]", elements.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let members: Vec<_> =
                members.iter().map(|(name, value)| format!("{} = {}", key(name), inline(value))).collect();
            format!("{{ {} }}", members.join(", "))
        }
        _ => value.to_string(),
    }
}
