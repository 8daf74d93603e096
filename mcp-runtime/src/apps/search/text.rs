//! The texts of a tool that a search reads.

use serde_json::Value;

use crate::wire::protocol::text::beginning;

/// The number of fields of a [`ToolText`].
pub(super) const FIELDS: usize = 5;

/// The number of bytes of each field, and of a query, that the index reads. Hosts accept less.
pub(super) const LONGEST_FIELD: usize = 8 * 1024;

/// The texts of a tool: its name, its description, the names of its parameters, their descriptions, and their values.
pub(super) struct ToolText {
    pub(super) fields: [String; FIELDS],
}

impl ToolText {
    /// Collects the texts of a tool. `schema` is the schema of its arguments.
    pub(super) fn new(name: &str, description: &str, schema: &Value) -> Self {
        let mut text = Self { fields: [name.to_owned(), String::new(), String::new(), String::new(), String::new()] };
        text.add(1, description);
        // The description of the whole schema is that of the tool.
        text.add_schema(schema, false);
        text
    }

    /// Adds the texts of a schema and of its parts.
    fn add_schema(&mut self, schema: &Value, has_description: bool) {
        match schema {
            Value::Object(members) => {
                for (name, member) in members {
                    match (&**name, member) {
                        ("properties", Value::Object(parameters)) => {
                            for (name, parameter) in parameters {
                                self.add(2, name);
                                self.add_schema(parameter, true);
                            }
                        }
                        ("description" | "title", Value::String(text)) if has_description => self.add(3, text),
                        ("enum", Value::Array(values)) => {
                            values.iter().filter_map(Value::as_str).for_each(|value| self.add(4, value));
                        }
                        ("const", Value::String(value)) => self.add(4, value),
                        ("default" | "examples", _) => {}
                        _ => self.add_schema(member, true),
                    }
                }
            }
            Value::Array(parts) => parts.iter().for_each(|part| self.add_schema(part, true)),
            _ => {}
        }
    }

    fn add(&mut self, field: usize, text: &str) {
        let field = &mut self.fields[field];
        if field.len() < LONGEST_FIELD {
            field.push_str(beginning(text, LONGEST_FIELD - field.len()));
            field.push(' ');
        }
    }
}

/// Returns the text, shortened to at most `longest` bytes: after the last sentence that fits, or else after the last word,
/// with `…` behind it.
pub(super) fn shortened(text: &str, longest: usize) -> String {
    let text = text.trim();
    if text.len() <= longest {
        return text.to_owned();
    }
    let begin = beginning(text, longest);
    let sentence = [". ", ".\n", "! ", "? ", "\n\n"].iter().filter_map(|end| begin.rfind(end)).max();
    let end = match sentence.filter(|end| *end > longest / 3) {
        Some(end) => end + 1,
        None => begin.rfind(char::is_whitespace).unwrap_or(begin.len()),
    };
    format!("{} …", begin[..end].trim_end())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn collects_the_texts_of_nested_parameters() {
        let schema = json!({
            "type": "object",
            "description": "left out",
            "properties": {
                "query": { "type": "string", "description": "What to find." },
                "order": { "anyOf": [{ "enum": ["newest", 1] }, { "const": "best" }], "default": "ignored" },
                "filter": { "type": "array", "items": { "properties": { "label": { "title": "A label" } } } },
            },
            "$defs": { "Page": { "description": "A page." } },
        });
        let [name, description, parameters, descriptions, values] = ToolText::new("find", "Finds.", &schema).fields;
        assert_eq!((&*name, &*description), ("find", "Finds. "));
        assert_eq!(parameters, "query order filter label ");
        assert_eq!(descriptions, "What to find. A label A page. ");
        assert_eq!(values, "newest best ");
    }

    #[test]
    fn a_field_has_a_limit() {
        let schema = json!({ "properties": { "ö".repeat(LONGEST_FIELD): {}, "b": {}, "c": {} } });
        let text = ToolText::new("large", &"ä ".repeat(LONGEST_FIELD), &schema);
        assert!(text.fields.iter().all(|field| field.len() <= LONGEST_FIELD + 1));
    }

    #[test]
    fn shortens_at_the_end_of_a_sentence() {
        let text = "Finds issues. Takes a query, e.g. a label. More is in the manual.";
        assert_eq!(shortened(text, 100), text);
        assert_eq!(shortened(text, 50), "Finds issues. Takes a query, e.g. a label. …");
        assert_eq!(shortened(text, 20), "Finds issues. …");
        assert_eq!(shortened("one two three", 9), "one two …");
        assert_eq!(shortened("öööö", 5), "öö …");
    }
}
