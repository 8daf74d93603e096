//! What a tool asks of a person: a form, or a visit to a page.

use std::fmt::{self, Display};

use serde_json::{Map, Value, json};

use super::{form, given, hangup::Watch, questions::Unanswered};
use crate::cli::{
    page,
    parameter::Parameter,
    reading::Kinds,
    terminal::{harmless, width},
};

/// The `params` of `elicitation/create`.
pub(super) struct Elicitation<'a> {
    key: &'a str,
    message: &'a str,
    what: What<'a>,
}

enum What<'a> {
    Form(&'a Value),
    Page(&'a str),
}

impl<'a> Elicitation<'a> {
    pub(super) fn read(key: &'a str, params: &'a Value) -> Self {
        let url = params["url"].as_str().filter(|_| params["mode"] == "url");
        let what = url.map_or(What::Form(&params["requestedSchema"]), What::Page);
        Self { key, message: params["message"].as_str().unwrap_or_default(), what }
    }

    /// The `ElicitResult` that was given on the command line.
    ///
    /// # Errors
    /// What would be an answer.
    pub(super) fn read_answer(&self, text: &str) -> Result<Value, String> {
        match self.what {
            What::Form(schema) => given::to_form(text, &Parameter::of_object(schema)),
            What::Page(url) => given::to_page(text).inspect(|answer| {
                if answer["action"] == "accept" {
                    form::show_page(self.message, url);
                }
            }),
        }
    }

    /// The `ElicitResult` of whoever is at the terminal.
    pub(super) fn ask(&self) -> Result<Value, Unanswered> {
        let _watch = Watch::start();
        match self.what {
            What::Form(schema) => form::fill_in(self.message, schema),
            What::Page(url) => form::visit(self.message, url),
        }
    }
}

/// In full, and with an answer to it on the command line.
impl Display for Elicitation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, message, what } = self;
        for line in harmless(message).trim().lines() {
            writeln!(f, "{}", format!("  {line}").trim_end())?;
        }
        let yes = match what {
            What::Form(schema) => {
                let fields = Parameter::of_object(schema);
                write!(f, "\n{}\n", page::fields(&fields, "  ", width()))?;
                let content: Map<_, _> = fields.iter().filter(|it| it.required).map(example).collect();
                format!("'{key}={}'", Value::Object(content))
            }
            What::Page(url) => {
                write!(f, "\n  {}\n\n", harmless(url))?;
                format!("{key}=accept")
            }
        };
        write!(f, "Answer it with `--answer {yes}`, or with `--answer {key}=decline` or `--answer {key}=cancel`")
    }
}

/// A required field with a value of its kind.
fn example(field: &Parameter<'_>) -> (String, Value) {
    let element = field.reading.items.as_deref().filter(|_| field.reading.is_list());
    let reading = element.unwrap_or(&field.reading);
    let value = match reading.kinds {
        _ if !reading.allowed.is_empty() => reading.allowed[0].clone(),
        Kinds::BOOLEAN => json!(true),
        Kinds::INTEGER | Kinds::NUMBER => {
            let least = field.schema.get("minimum").filter(|least| least.as_f64() > Some(1.0));
            least.cloned().unwrap_or(json!(1))
        }
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
        let params = json!({ "message": "Found 2.\n\nPick\u{7} one:", "requestedSchema": schema });
        let told = Elicitation::read("pick", &params).to_string();
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
        let params = json!({ "mode": "url", "message": "Connect.", "url": "https://example.com/c" });
        let told = Elicitation::read("connect", &params).to_string();
        let expected = "  Connect.\n\n  https://example.com/c\n\nAnswer it with `--answer connect=accept`, or with \
                        `--answer connect=decline` or `--answer connect=cancel`";
        assert_eq!(told, expected);
    }
}
