//! `ElicitResult`s: the answers to forms and pages, also from the text of an `--answer`.

use serde_json::{Map, Value};

use crate::{
    edge::cli::items::{json_error::json_error, parameter::CliParameter},
    engine::elicit::leniency::leaves_out,
    wire::{
        protocol::json::object,
        schema::{Types, nearest::did_you_mean},
    },
};

/// Converts the text of an `--answer` to an `ElicitResult`. The question is a form with these fields.
///
/// # Errors
/// The error says what a valid answer is.
pub(crate) fn to_form(text: &str, fields: &[CliParameter<'_>]) -> Result<Value, String> {
    if let Some(word) = refusal(text) {
        return Ok(word);
    }
    let whole = serde_json::from_str(text);
    match (fields, whole) {
        (_, Ok(Value::Object(content))) => check_content(&content, fields).map(|()| accept_form(content)),
        (_, Err(error)) if text.trim_start().starts_with('{') && !is_one_text(fields) => {
            Err(format!("expected a JSON object: {}", json_error(text, &error)))
        }
        (fields, whole) => match main_field(fields) {
            Some(field) => {
                let value = field_value(text, whole.ok(), field);
                let value = value.map_err(|reason| format!("`{}`: {reason}", field.name))?;
                Ok(accept_form(value.map(|value| (field.name.to_owned(), value)).into_iter().collect()))
            }
            None => {
                let names = if fields.is_empty() { "no fields".to_owned() } else { names(fields) };
                Err(format!("expected `decline`, `cancel` or a JSON object with {names}"))
            }
        },
    }
}

/// Returns the field whose value can be the whole answer: the only field of the form, or its only required one.
fn main_field<'f, 'a>(fields: &'f [CliParameter<'a>]) -> Option<&'f CliParameter<'a>> {
    if let [field] = fields {
        return Some(field);
    }
    let mut required = fields.iter().filter(|field| field.required);
    required.next().filter(|_| required.next().is_none())
}

/// Whether the form has a single field, which is a text. If so, the whole answer can be the value of that field.
fn is_one_text(fields: &[CliParameter<'_>]) -> bool {
    matches!(fields, [field] if field.reading.kinds == Types::STRING)
}

/// Whether the value leaves the field out.
fn is_left_out(field: &CliParameter<'_>, value: &Value) -> bool {
    !field.required && leaves_out(field.schema, value)
}

/// Checks the names and types of fields. The server checks the limits, which may differ for each question.
fn check_content(content: &Map<String, Value>, fields: &[CliParameter<'_>]) -> Result<(), String> {
    for (name, value) in content {
        let Some(field) = fields.iter().find(|field| field.name == name) else {
            let meant = did_you_mean(name, fields.iter().map(|field| field.name));
            return Err(format!("there is no field `{name}`{meant} (fields: {})", names(fields)));
        };
        if !is_left_out(field, value) {
            field.reading.check(value).map_err(|reason| format!("`{name}`: {reason}"))?;
        }
    }
    match fields.iter().find(|field| field.required && !content.contains_key(field.name)) {
        Some(missing) => Err(format!("the field `{}` is required", missing.name)),
        None => Ok(()),
    }
}

fn names(fields: &[CliParameter<'_>]) -> String {
    let names: Vec<_> = fields.iter().map(|field| format!("`{}`", field.name)).collect();
    names.join(", ")
}

/// Converts the text of an `--answer` to an `ElicitResult`. The question asks the user to open a page.
///
/// # Errors
/// The error says what a valid answer is.
pub(crate) fn to_page(text: &str) -> Result<Value, String> {
    match text {
        "accept" | "true" | "{}" => Ok(accept_page()),
        _ => refusal(text).ok_or_else(|| "expected `accept`, `decline` or `cancel`".to_owned()),
    }
}

fn refusal(text: &str) -> Option<Value> {
    matches!(text, "decline" | "cancel").then(|| refuse(text))
}

/// Reads the value of a form's main field. Uses `json` if the field accepts it, otherwise converts `text`. Returns
/// `None` if the text is empty and leaves the field out.
fn field_value(text: &str, json: Option<Value>, field: &CliParameter<'_>) -> Result<Option<Value>, String> {
    if text.is_empty() && is_left_out(field, &text.into()) {
        return Ok(None);
    }
    match json {
        Some(Value::String(string)) if field.reading.kinds == Types::STRING => Ok(Some(string.into())),
        Some(Value::Array(values)) => Ok(Some(values.into())),
        _ if field.reading.is_list() => field.reading.read(text).map(|values| Some(values.into())),
        _ => field.reading.read(text).map(|mut values| values.pop()),
    }
}

/// Returns the result for a form that the user filled in.
pub(crate) fn accept_form(content: Map<String, Value>) -> Value {
    object([("action", "accept".into()), ("content", content.into())])
}

/// Returns the result for a page that the user agreed to open.
pub(crate) fn accept_page() -> Value {
    object([("action", "accept".into())])
}

/// Returns the result for a question that the user did not answer. The `action` is `decline` or `cancel`.
pub(crate) fn refuse(action: &str) -> Value {
    object([("action", action.into())])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer(text: &str, properties: &Value) -> Result<Value, String> {
        let schema = json!({ "type": "object", "properties": properties });
        to_form(text, &CliParameter::of_object(&schema)).map(|mut answer| answer["content"].take())
    }

    #[test]
    fn reads_the_only_field_without_an_object() {
        let text = json!({ "name": { "type": "string" } });
        for (typed, value) in [("Bob", "Bob"), ("\"Bob\"", "Bob"), ("007", "007"), ("5", "5"), ("true", "true")] {
            assert_eq!(answer(typed, &text), Ok(json!({ "name": value })), "{typed}");
        }
        assert_eq!(answer(r#""decline""#, &text), Ok(json!({ "name": "decline" })));
        assert_eq!(answer(r#"{"name":"Bob"}"#, &text), Ok(json!({ "name": "Bob" })));

        assert_eq!(answer("true", &json!({ "sure": { "type": "boolean" } })), Ok(json!({ "sure": true })));
        assert_eq!(answer("2", &json!({ "seats": { "type": "integer" } })), Ok(json!({ "seats": 2 })));
        let seats = json!({ "seats": { "type": "integer" } });
        assert_eq!(answer("x", &seats), Err("`seats`: expected an integer".to_owned()));
        let one = json!({ "seat": { "type": "string", "oneOf": [{ "const": "aisle", "title": "Aisle" }] } });
        assert_eq!(answer("aisle", &one), Ok(json!({ "seat": "aisle" })));
        assert_eq!(answer("roof", &one), Err("`seat`: expected `aisle`".to_owned()));
        let several = json!({ "extras": { "type": "array", "items": { "type": "string", "enum": ["bag", "meal"] } } });
        assert_eq!(answer("bag", &several), Ok(json!({ "extras": ["bag"] })));
        assert_eq!(answer(r#"["bag","meal"]"#, &several), Ok(json!({ "extras": ["bag", "meal"] })));
    }

    #[test]
    fn reads_the_only_required_field_without_an_object() {
        let schema = json!({
            "properties": { "day": { "type": "string", "format": "date" }, "name": { "type": "string" } },
            "required": ["name"],
        });
        let fields = CliParameter::of_object(&schema);
        for (text, content) in [
            ("Ann", json!({ "name": "Ann" })),
            (r#"{"name":"Ann","day":null}"#, json!({ "name": "Ann", "day": null })),
            (r#"{"name":"Ann","day":""}"#, json!({ "name": "Ann", "day": "" })),
        ] {
            assert_eq!(to_form(text, &fields).map(|mut answer| answer["content"].take()), Ok(content), "{text}");
        }
    }

    #[test]
    fn empty_text_leaves_out_an_optional_field_that_is_not_a_text() {
        assert_eq!(answer("", &json!({ "seats": { "type": "integer" } })), Ok(json!({})));
        assert_eq!(answer("", &json!({ "day": { "type": "string", "format": "date" } })), Ok(json!({})));
        assert_eq!(answer("", &json!({ "note": { "type": "string" } })), Ok(json!({ "note": "" })));
    }

    #[test]
    fn reads_several_fields_from_an_object() {
        let two = json!({ "a": { "type": "string" }, "b": { "type": "string" } });
        assert_eq!(answer(r#"{"a":"1"}"#, &two), Ok(json!({ "a": "1" })));
        let expected = "expected `decline`, `cancel` or a JSON object with `a`, `b`";
        assert_eq!(answer("x", &two), Err(expected.to_owned()));
        let early = "expected a JSON object: it ends too early, after `{\"a\":`";
        assert_eq!(answer(r#"{"a":"#, &two), Err(early.to_owned()));
    }

    #[test]
    fn checks_the_names_and_types_of_fields() {
        let schema = json!({
            "properties": { "day": { "type": "string" }, "seats": { "type": "integer" } },
            "required": ["day"],
        });
        for (text, reason) in [
            (r#"{"day": "x", "seat": 1}"#, "there is no field `seat`; did you mean `seats`? (fields: `day`, `seats`)"),
            (r#"{"day": "x", "seats": "1"}"#, "`seats`: expected an integer"),
            (r#"{"seats": 1}"#, "the field `day` is required"),
        ] {
            assert_eq!(to_form(text, &CliParameter::of_object(&schema)), Err(reason.to_owned()), "{text}");
        }
    }

    #[test]
    fn reads_decline_and_cancel() {
        let form = json!({ "properties": { "name": { "type": "string" } } });
        let fields = CliParameter::of_object(&form);
        for word in ["decline", "cancel"] {
            assert_eq!(to_form(word, &fields), Ok(json!({ "action": word })));
            assert_eq!(to_page(word), Ok(json!({ "action": word })));
        }
        assert_eq!(to_page("accept"), Ok(json!({ "action": "accept" })));
        assert_eq!(to_page("maybe"), Err("expected `accept`, `decline` or `cancel`".to_owned()));
    }
}
