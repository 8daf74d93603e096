//! Pretty-prints JSON. A value that fits on one line is written on one line.

use serde_json::Value;

const WIDTH: usize = 100;

/// Returns the value as text, indented by two spaces per level.
pub(super) fn pretty(value: &Value) -> String {
    let mut text = String::new();
    push(&mut text, value, 0, 0);
    text
}

/// Appends `value` to `text`. `before` is the number of columns already used on the line.
fn push(text: &mut String, value: &Value, level: usize, before: usize) {
    let line = one_line(value);
    if before + line.chars().count() <= WIDTH {
        text.push_str(&line);
        return;
    }
    match value {
        Value::Array(values) => {
            let values = values.iter().map(|value| (String::new(), value));
            push_lines(text, ('[', ']'), values, level);
        }
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| (format!("{}: ", Value::from(&**name)), value));
            push_lines(text, ('{', '}'), members, level);
        }
        _ => text.push_str(&line),
    }
}

fn push_lines<'a>(
    text: &mut String,
    (open, close): (char, char),
    values: impl Iterator<Item = (String, &'a Value)>,
    level: usize,
) {
    let indent = "  ".repeat(level + 1);
    text.push(open);
    for (index, (name, value)) in values.enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        text.push_str(&indent);
        text.push_str(&name);
        push(text, value, level + 1, indent.len() + name.chars().count());
    }
    text.push('\n');
    text.push_str(&indent[2..]);
    text.push(close);
}

fn one_line(value: &Value) -> String {
    let joined = |parts: Vec<String>| parts.join(", ");
    match value {
        Value::Array(values) => format!("[{}]", joined(values.iter().map(one_line).collect())),
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| format!("{}: {}", Value::from(&**name), one_line(value));
            format!("{{ {} }}", joined(members.iter().map(member).collect()))
        }
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keeps_short_values_on_one_line() {
        assert_eq!(pretty(&json!({ "a": [1, { "b\n": null }], "c": {} })), r#"{ "a": [1, { "b\n": null }], "c": {} }"#);
        let long = "x".repeat(90);
        let text = pretty(&json!({ "list": [{ "n": 1 }, { "text": long }], "end": true }));
        assert_eq!(
            text,
            format!(
                "{{\n  \"list\": [\n    {{ \"n\": 1 }},\n    {{\n      \"text\": \"{long}\"\n    }}\n  ],\n  \"end\": true\n}}"
            )
        );
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["list"][1]["text"], long);
    }
}
