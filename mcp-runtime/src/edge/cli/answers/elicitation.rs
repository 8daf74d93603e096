//! Questions to the user: a form, or a page to open.

use serde_json::Value;

use super::{
    elicit_result::{to_form, to_page},
    form,
    given::unnumbered,
};
use crate::{
    edge::cli::{
        items::{
            askable::{ELICIT_URL, form_answer, page_answer},
            page,
            parameter::CliParameter,
        },
        terminal::{
            harmless,
            layout::indented_text,
            prompt::{HangupWatch, UnansweredQuestion},
            width,
        },
    },
    serve::client::Question,
};

/// Returns the key with which `--answer` answers every question of this kind, if there is such a key.
pub(crate) fn shared_key(question: &Question) -> Option<&'static str> {
    question.page().map(|_| ELICIT_URL)
}

/// Reads an answer from the command line into an `ElicitResult`.
///
/// # Errors
/// The error says what a valid answer is.
pub(crate) fn read_answer(question: &Question, text: &str) -> Result<Value, String> {
    let Some(url) = question.page() else { return to_form(text, &CliParameter::of_object(form_schema(question))) };
    let answer = to_page(text)?;
    if answer["action"] == "accept" {
        form::show_page(message(question), url);
    }
    Ok(answer)
}

/// Asks the user at the terminal, and returns an `ElicitResult`.
pub(crate) fn ask(question: &Question) -> Result<Value, UnansweredQuestion> {
    let _watch = HangupWatch::start();
    match question.page() {
        Some(url) => form::open_page(message(question), url),
        None => form::fill_in(message(question), form_schema(question)),
    }
}

/// Returns the whole question, with an example of an answer on the command line.
pub(crate) fn described(question: &Question) -> String {
    // An answer whose key has no number is for the next question of that key.
    let key = unnumbered(&question.key);
    let message = indented_text(harmless(message(question)).trim());
    let (details, answer) = match question.page() {
        Some(url) => (format!("  {}\n", harmless(url)), page_answer(key)),
        None => {
            let fields = CliParameter::of_object(form_schema(question));
            (page::fields(&fields, "  ", width()), form_answer(key, &fields))
        }
    };
    format!(
        "{message}\n{details}\nAnswer it with `{answer}`, or with `--answer {key}=decline` or `--answer {key}=cancel`"
    )
}

fn message(question: &Question) -> &str {
    question.params["message"].as_str().unwrap_or_default()
}

fn form_schema(question: &Question) -> &Value {
    &question.params["requestedSchema"]
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
        let told = described(&question);
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
        let told = described(&question);
        let expected = "  Connect.\n\n  https://example.com/c\n\nAnswer it with `--answer connect=accept`, or with \
                        `--answer connect=decline` or `--answer connect=cancel`";
        assert_eq!(told, expected);
    }
}
