//! Questions to the user: a form, or a page to open.

use std::fmt::{self, Display};

use serde_json::Value;

use super::{
    form,
    given::{self, unnumbered},
};
use crate::{
    edge::cli::{
        items::{
            askable::{VISIT, form_answer, page_answer},
            page,
            parameter::CliParameter,
        },
        terminal::{hangup::HangupWatch, harmless, prompt::UnansweredQuestion, width},
    },
    serve::client::Question,
};

/// The `params` of `elicitation/create`.
pub(crate) struct Elicitation<'a> {
    key: &'a str,
    message: &'a str,
    what: What<'a>,
}

enum What<'a> {
    Form(&'a Value),
    Page(&'a str),
}

impl<'a> Elicitation<'a> {
    pub(crate) fn read(question: &'a Question) -> Self {
        let Question { key, params, .. } = question;
        let what = question.page().map_or(What::Form(&params["requestedSchema"]), What::Page);
        Self { key, message: params["message"].as_str().unwrap_or_default(), what }
    }

    /// Returns the key with which `--answer` answers every question of this kind, if there is such a key.
    pub(crate) fn word(&self) -> Option<&'static str> {
        matches!(self.what, What::Page(_)).then_some(VISIT)
    }

    /// Reads an answer from the command line into an `ElicitResult`.
    ///
    /// # Errors
    /// The error says what a valid answer is.
    pub(crate) fn read_answer(&self, text: &str) -> Result<Value, String> {
        match self.what {
            What::Form(schema) => given::to_form(text, &CliParameter::of_object(schema)),
            What::Page(url) => given::to_page(text).inspect(|answer| {
                if answer["action"] == "accept" {
                    form::show_page(self.message, url);
                }
            }),
        }
    }

    /// Asks the user at the terminal, and returns an `ElicitResult`.
    pub(crate) fn ask(&self) -> Result<Value, UnansweredQuestion> {
        let _watch = HangupWatch::start();
        match self.what {
            What::Form(schema) => form::fill_in(self.message, schema),
            What::Page(url) => form::visit(self.message, url),
        }
    }
}

/// Shows the whole question, with an example of an answer on the command line.
impl Display for Elicitation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, message, what } = self;
        // An answer whose key has no number is for the next question of that key.
        let key = unnumbered(key);
        for line in harmless(message).trim().lines() {
            writeln!(f, "{}", format!("  {line}").trim_end())?;
        }
        let yes = match what {
            What::Form(schema) => {
                let fields = CliParameter::of_object(schema);
                write!(f, "\n{}\n", page::fields(&fields, "  ", width()))?;
                form_answer(key, &fields)
            }
            What::Page(url) => {
                write!(f, "\n  {}\n\n", harmless(url))?;
                page_answer(key)
            }
        };
        write!(f, "Answer it with `{yes}`, or with `--answer {key}=decline` or `--answer {key}=cancel`")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn shows_a_form_with_its_fields_and_an_example_answer() {
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
        let question = Question::new("pick".into(), "elicitation/create".into(), params);
        let told = Elicitation::read(&question).to_string();
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
    fn shows_a_page_with_its_url() {
        let params = json!({ "mode": "url", "message": "Connect.", "url": "https://example.com/c" });
        let question = Question::new("connect".into(), "elicitation/create".into(), params);
        let told = Elicitation::read(&question).to_string();
        let expected = "  Connect.\n\n  https://example.com/c\n\nAnswer it with `--answer connect=accept`, or with \
                        `--answer connect=decline` or `--answer connect=cancel`";
        assert_eq!(told, expected);
    }
}
