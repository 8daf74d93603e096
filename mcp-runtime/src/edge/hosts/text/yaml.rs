//! New members of a YAML file.

use serde_json::Value;

use super::{one_line, quoted};

/// Plain texts that are not strings to a parser of YAML 1.1.
const WORDS: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];

/// Returns a member of a block mapping. All strings stand in quotes, because `yes` and `1` are not strings to all parsers.
pub(crate) fn block(name: &str, value: &Value, indent: usize, unit: usize) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    let is_plain = name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.bytes().all(is_plain);
    let is_word = WORDS.contains(&&*name.to_ascii_lowercase());
    let key = if is_plain && !is_word { name.to_owned() } else { quoted(name) };
    match value {
        Value::Object(members) if !members.is_empty() => {
            let members: String = members.iter().map(|(name, value)| block(name, value, indent + unit, unit)).collect();
            format!("{:indent$}{key}:\n{members}", "")
        }
        _ => format!("{:indent$}{key}: {}\n", "", one_line(value)),
    }
}
