//! One field of a form: its description, and how typed text is read.

use std::rc::Rc;

use serde_json::Value;

use crate::{
    edge::cli::{
        items::{
            parameter::{CliParameter, limits},
            reading::ListedValue,
        },
        terminal::one_line,
    },
    wire::{
        protocol::json::object,
        schema::{InputSchema, Types, Violation},
    },
};

/// The input for an empty text. If the user types nothing, the field has no answer.
const EMPTY_TEXT: &str = "\"\"";

pub(crate) struct PromptField<'a> {
    pub(crate) parameter: CliParameter<'a>,
    pub(crate) rules: FieldRules,
}

/// The kind of prompt that a field gets.
#[derive(Debug, PartialEq)]
pub(crate) enum FieldKind {
    Text,
    YesNo { default: Option<bool> },
    OneOf(Vec<ListedValue>),
    SeveralOf(Vec<ListedValue>),
}

impl<'a> PromptField<'a> {
    /// Returns the fields of a form, in order.
    pub(crate) fn of_form(schema: &'a Value) -> Vec<Self> {
        let parameters = CliParameter::of_object(schema).into_iter();
        parameters.map(|parameter| Self { rules: FieldRules::of(parameter.schema), parameter }).collect()
    }

    pub(crate) fn kind(&self) -> FieldKind {
        let choices = self.parameter.choices().to_vec();
        let default = self.default().and_then(Value::as_bool);
        if self.parameter.reading.is_list() {
            FieldKind::SeveralOf(choices)
        } else if !choices.is_empty() {
            FieldKind::OneOf(choices)
        } else if self.parameter.is_switch() && (self.parameter.required || default.is_some()) {
            FieldKind::YesNo { default }
        } else if self.parameter.is_switch() {
            FieldKind::OneOf(vec![ListedValue::titled(true, "yes"), ListedValue::titled(false, "no")])
        } else {
            FieldKind::Text
        }
    }

    /// Returns the field's title, or its name.
    pub(crate) fn title(&self) -> String {
        one_line(self.parameter.schema["title"].as_str().unwrap_or(self.parameter.name))
    }

    /// Returns the help text of the field: its description, its limits and an example.
    pub(crate) fn help(&self) -> String {
        let description = self.parameter.schema["description"].as_str().unwrap_or_default();
        let mut sentences = vec![one_line(description)];
        sentences.extend(limits(self.parameter.schema));
        let example = match self.format() {
            Some("date") => "Such as 2026-01-31.",
            Some("date-time") => "Such as 2026-01-31T14:30:00Z.",
            Some("email") => "Such as name@example.com.",
            Some("uri") => "Such as https://example.com/page.",
            _ => "",
        };
        sentences.push(example.to_owned());
        sentences.retain(|sentence| !sentence.is_empty());
        sentences.join(" ")
    }

    pub(crate) fn default(&self) -> Option<&'a Value> {
        self.parameter.schema.get("default").filter(|default| !default.is_null())
    }

    /// Converts the typed text to a value. Returns `None` if the user left an optional field empty.
    ///
    /// # Errors
    /// Returns a message that tells the user what is wrong.
    pub(crate) fn read(&self, typed: &str) -> Result<Option<Value>, String> {
        let is_text = self.parameter.reading.kinds == Types::STRING;
        let text = if is_text && self.format().is_none() { typed } else { typed.trim() };
        let accepts_empty = || is_text && self.rules.check(&"".into()).is_ok();
        match text {
            "" if !self.parameter.required => return Ok(None),
            "" if accepts_empty() => return Err(format!("needs a value; type {EMPTY_TEXT} for an empty text")),
            "" => return Err("needs a value".to_owned()),
            EMPTY_TEXT if accepts_empty() => return Ok(Some("".into())),
            _ => {}
        }
        let value = self.parameter.reading.read(text)?.pop().unwrap_or_default();
        self.rules.check(&value)?;
        Ok(Some(value))
    }

    fn format(&self) -> Option<&str> {
        self.parameter.schema["format"].as_str()
    }
}

/// The rules for the value of a field. The server validates answers by the same rules.
#[derive(Clone)]
pub(crate) struct FieldRules(Rc<InputSchema>);

impl FieldRules {
    fn of(schema: &Value) -> Self {
        let mut schema = schema.clone();
        if let Some(keywords) = schema.as_object_mut() {
            // Removed, because the author's texts would be repeated in every message.
            for keyword in ["title", "description", "default", "enumNames"] {
                keywords.remove(keyword);
            }
        }
        let schema = object([("type", "object".into()), ("properties", object([("it", schema)]))]);
        Self(Rc::new(InputSchema::of_form(&schema)))
    }

    /// # Errors
    /// Returns a message that tells the user what is wrong with the value.
    pub(crate) fn check(&self, value: &Value) -> Result<(), String> {
        self.0
            .check(&format!(r#"{{"it":{value}}}"#))
            .map_err(|violations| violations.iter().map(without_value).collect::<Vec<_>>().join("; "))
    }
}

/// Returns what is wrong, without the value that the user has just typed: `must be between 1 and 9` for `got 10, must be
/// between 1 and 9`.
fn without_value(Violation { what, .. }: &Violation) -> String {
    what.rsplit_once(", must ").map_or_else(|| what.clone(), |(_, rule)| format!("must {rule}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Reads `typed` as the value of the only field of a form.
    fn read(property: &Value, required: bool, typed: &str) -> Result<Option<Value>, String> {
        let required: &[&str] = if required { &["f"] } else { &[] };
        let schema = json!({ "type": "object", "properties": { "f": property }, "required": required });
        PromptField::of_form(&schema)[0].read(typed)
    }

    #[test]
    fn keeps_text_as_typed_and_trims_other_values() {
        for (property, typed, value) in [
            (json!({ "type": "string" }), " 007 ", json!(" 007 ")),
            (json!({ "type": "string", "format": "date" }), " 2026-02-28 ", json!("2026-02-28")),
            (json!({ "type": "integer" }), " 7 ", json!(7)),
            (json!({ "type": "number" }), "1.5", json!(1.5)),
        ] {
            assert_eq!(read(&property, true, typed), Ok(Some(value)), "{property}");
        }
    }

    #[test]
    fn explains_an_invalid_value_in_plain_words() {
        for (property, typed, told) in [
            (json!({ "type": "integer", "minimum": 1, "maximum": 9 }), "10", "must be between 1 and 9"),
            (json!({ "type": "integer" }), "1.5", "expected an integer"),
            (json!({ "type": "number" }), "many", "expected a number"),
            (json!({ "type": "string", "minLength": 3 }), "ab", "must have at least 3 characters"),
            (json!({ "type": "string", "format": "email" }), "bob", "must be an email address"),
            (
                json!({ "type": "string", "format": "date", "description": "A day.", "title": "Day" }),
                "2026-02-30",
                "must be a date such as 2026-01-31",
            ),
        ] {
            assert_eq!(read(&property, true, typed), Err(told.to_owned()), "{property}");
        }
    }

    #[test]
    fn an_empty_input_leaves_an_optional_field_out() {
        let text = json!({ "type": "string" });
        assert_eq!(read(&text, false, ""), Ok(None));
        assert_eq!(read(&text, true, ""), Err("needs a value; type \"\" for an empty text".to_owned()));
        assert_eq!(read(&text, true, "\"\""), Ok(Some(json!(""))));
        assert_eq!(read(&json!({ "type": "integer" }), false, " "), Ok(None));
        assert_eq!(read(&json!({ "type": "integer" }), true, ""), Err("needs a value".to_owned()));
        let long = json!({ "type": "string", "minLength": 1 });
        assert_eq!(read(&long, true, ""), Err("needs a value".to_owned()));
        assert_eq!(read(&long, true, "\"\""), Ok(Some(json!("\"\""))));
    }

    #[test]
    fn chooses_the_prompt_by_the_type() {
        let schema = json!({ "properties": {
            "text": { "type": "string" },
            "count": { "type": "integer" },
            "sure": { "type": "boolean", "default": false },
            "maybe": { "type": "boolean" },
            "seat": { "type": "string", "enum": ["aisle"] },
            "extras": { "type": "array", "items": { "type": "string", "enum": ["bag"] } },
        }});
        let kinds: Vec<_> = PromptField::of_form(&schema).iter().map(PromptField::kind).collect();
        assert_eq!(kinds[..3], [FieldKind::Text, FieldKind::Text, FieldKind::YesNo { default: Some(false) }]);
        let [FieldKind::OneOf(maybe), FieldKind::OneOf(seat), FieldKind::SeveralOf(extras)] = &kinds[3..] else {
            panic!("{kinds:?}")
        };
        assert_eq!((maybe.len(), seat.len(), extras.len()), (2, 1, 1));
    }

    #[test]
    fn reads_values_from_enum_one_of_and_any_of() {
        let titled = json!([{ "const": "w", "title": "Window" }, { "const": "a", "title": "Aisle" }]);
        let plain = json!(["w", "a"]);
        for (field, shown) in [
            (json!({ "type": "string", "oneOf": titled }), ["Window", "Aisle"]),
            (json!({ "type": "string", "enum": plain, "enumNames": ["Window", "Aisle"] }), ["Window", "Aisle"]),
            (json!({ "type": "array", "items": { "anyOf": titled } }), ["Window", "Aisle"]),
            (json!({ "enum": plain }), ["w", "a"]),
            (json!({ "type": "array", "items": { "enum": plain } }), ["w", "a"]),
        ] {
            let schema = json!({ "properties": { "f": field } });
            let (FieldKind::OneOf(choices) | FieldKind::SeveralOf(choices)) = PromptField::of_form(&schema)[0].kind()
            else {
                panic!("no choices: {schema}")
            };
            assert_eq!(choices.iter().map(ListedValue::to_string).collect::<Vec<_>>(), shown);
            assert_eq!(choices.iter().map(|choice| choice.value.clone()).collect::<Value>(), plain);
        }
    }

    #[test]
    fn shows_a_field_with_its_limits() {
        let schema = json!({ "properties": {
            "n": { "type": "integer", "title": "Seats\u{1b}[2J", "description": "How\nmany.", "minimum": 1, "default": 2 },
            "plain": { "type": "string", "default": null },
        }});
        let [n, plain] = &PromptField::of_form(&schema)[..] else { unreachable!("two fields") };
        assert_eq!((n.title(), n.help()), ("Seats[2J".to_owned(), "How many. At least 1.".to_owned()));
        assert_eq!((plain.title(), plain.help()), ("plain".to_owned(), String::new()));
        assert_eq!((n.default(), plain.default()), (Some(&json!(2)), None));
    }
}
