//! A question nobody answered, in words.

use serde_json::{Map, Value, json};

use crate::cli::{
    page,
    parameter::Parameter,
    reading::Kinds,
    terminal::{harmless, width},
};

/// What was asked, and how to answer it on the command line. A question without a URL is a form with these fields.
pub(super) fn described(key: &str, message: &str, url: Option<&str>, fields: &[Parameter<'_>]) -> String {
    let lines = |text: &str| text.lines().map(|line| format!("  {line}").trim_end().to_owned() + "\n").collect();
    let mut text: String = lines(harmless(message).trim());
    let yes = match url {
        Some(url) => {
            text.push_str(&format!("\n  {}\n", harmless(url)));
            format!("{key}=accept")
        }
        None => {
            text.push_str(&format!("\n{}", page::fields(fields, "  ", width())));
            let content: Map<_, _> = fields.iter().filter(|it| it.required).map(example).collect();
            format!("'{key}={}'", Value::Object(content))
        }
    };
    format!("{text}\nAnswer it with `--answer {yes}`, or with `--answer {key}=decline` or `--answer {key}=cancel`")
}

/// A required field with a value of its kind.
fn example(field: &Parameter<'_>) -> (String, Value) {
    let element = field.reading.items.as_deref().filter(|_| field.reading.is_list());
    let reading = element.unwrap_or(&field.reading);
    let value = match reading.kinds {
        _ if !reading.allowed.is_empty() => reading.allowed[0].clone(),
        Kinds::BOOLEAN => json!(true),
        Kinds::INTEGER | Kinds::NUMBER => field.schema.get("minimum").cloned().unwrap_or(json!(1)),
        _ => json!("…"),
    };
    (field.name.to_owned(), if element.is_some() { json!([value]) } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_told_with_its_fields_and_an_answer_to_it() {
        let schema = json!({
            "properties": {
                "flight_id": { "type": "string", "description": "The flight's number.", "minLength": 3 },
                "seats": { "type": "integer", "minimum": 2 },
                "extras": { "type": "array", "items": { "type": "string", "enum": ["bag"] } },
                "seat": { "type": "string", "enum": ["window", "aisle"], "default": "aisle" },
            },
            "required": ["flight_id", "seats", "extras"],
        });
        let told = described("pick", "Found 2.\n\nPick\u{7} one:", None, &Parameter::of_object(&schema));
        let expected = "  Found 2.

  Pick one:

  flight_id   string    Required. The flight's number. At least 3 characters.
  seats       integer   Required. At least 2.
  extras      string…   Required. One of: bag.
  seat        string    One of: window, aisle. Default: aisle.

Answer it with `--answer 'pick={\"flight_id\":\"…\",\"seats\":2,\"extras\":[\"bag\"]}'`, or with `--answer pick=decline` or \
`--answer pick=cancel`";
        assert_eq!(told, expected);
    }

    #[test]
    fn a_page_is_told_with_its_address() {
        let told = described("connect", "Connect.", Some("https://example.com/c"), &[]);
        let expected = "  Connect.\n\n  https://example.com/c\n\nAnswer it with `--answer connect=accept`, or with \
                        `--answer connect=decline` or `--answer connect=cancel`";
        assert_eq!(told, expected);
    }
}
