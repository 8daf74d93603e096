//! `--answer KEY=JSON`: answers given before the questions.

use std::str::FromStr;

use serde_json::{Map, Value, json};

use crate::{
    cli::{parameter::Parameter, reading::Kinds},
    tool::schema::nearest::nearest,
};

/// One `--answer`. What its text means depends on the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    key: String,
    text: String,
}

/// All of them, each to be used once.
#[derive(Debug, Default)]
pub(super) struct Given {
    left: Vec<Answer>,
    /// The keys asked so far.
    asked: Vec<String>,
}

impl FromStr for Answer {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((key, text)) if !key.is_empty() => Ok(Self { key: key.to_owned(), text: text.to_owned() }),
            _ => Err("expected KEY=JSON, such as `confirm=true`"),
        }
    }
}

impl Given {
    pub(super) fn new(answers: Vec<Answer>) -> Self {
        Self { left: answers, asked: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.left.is_empty() && self.asked.is_empty()
    }

    /// Whether one of them is to a question that no form asks, however often forms are asked.
    pub(super) fn has_one_of_no_form(&self, is_form: impl Fn(&str) -> bool) -> bool {
        self.left.iter().any(|answer| !is_form(answer.key.split('#').next().unwrap_or_default()))
    }

    /// The first answer to this question that was not used yet.
    pub(super) fn take(&mut self, key: &str) -> Option<String> {
        if !self.was_asked(key) {
            self.asked.push(key.to_owned());
        }
        let at = self.left.iter().position(|answer| answer.key == key)?;
        Some(self.left.remove(at).text)
    }

    pub(super) fn was_asked(&self, key: &str) -> bool {
        self.asked.iter().any(|asked| asked == key)
    }

    /// A sentence for each answer that was never used.
    pub(super) fn unused(&self) -> impl Iterator<Item = String> {
        self.left.iter().map(|Answer { key, .. }| {
            let reason = match &self.asked[..] {
                asked if asked.contains(key) => "it was not asked that often".to_owned(),
                [] => "nothing was asked".to_owned(),
                asked => {
                    let meant = nearest(key, asked.iter().map(String::as_str));
                    let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
                    format!("no such question was asked, only `{}`{meant}", asked.join("`, `"))
                }
            };
            format!("`--answer {key}=…` was not used: {reason}")
        })
    }
}

/// What an answer to a form says: an `ElicitResult`.
///
/// # Errors
/// What would be an answer to this form.
pub(super) fn to_form(text: &str, fields: &[Parameter<'_>]) -> Result<Value, String> {
    if let Some(word) = refusal(text) {
        return Ok(word);
    }
    let accept = |content: Map<String, Value>| json!({ "action": "accept", "content": content });
    let whole = serde_json::from_str(text);
    match (fields, whole) {
        (_, Ok(Value::Object(content))) => Ok(accept(content)),
        ([field], whole) => {
            let value = field_value(text, whole.ok(), field)?;
            Ok(accept(Map::from_iter([(field.name.to_owned(), value)])))
        }
        (_, Err(error)) if text.trim_start().starts_with('{') => Err(format!("expected a JSON object: {error}")),
        (fields, _) => {
            let names: Vec<_> = fields.iter().map(|field| field.name).collect();
            let names = if names.is_empty() { "no fields".to_owned() } else { format!("`{}`", names.join("`, `")) };
            Err(format!("expected a JSON object with {names}, or `decline` or `cancel`"))
        }
    }
}

/// What an answer to a page says: an `ElicitResult`.
///
/// # Errors
/// What would be an answer.
pub(super) fn to_page(text: &str) -> Result<Value, String> {
    match text {
        "accept" | "true" | "{}" => Ok(json!({ "action": "accept" })),
        _ => refusal(text).ok_or_else(|| "expected `accept`, `decline` or `cancel`".to_owned()),
    }
}

fn refusal(text: &str) -> Option<Value> {
    matches!(text, "decline" | "cancel").then(|| json!({ "action": text }))
}

/// The one field of a form may stand alone: as JSON, or as one types it.
fn field_value(text: &str, json: Option<Value>, field: &Parameter<'_>) -> Result<Value, String> {
    match json {
        Some(Value::String(string)) if field.reading.kinds == Kinds::STRING => Ok(string.into()),
        Some(Value::Array(values)) => Ok(values.into()),
        _ if field.reading.is_list() => field.reading.read(text).map(Value::Array),
        _ => field.reading.read(text).map(|mut values| values.pop().unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str, properties: &Value) -> Result<Value, String> {
        let schema = json!({ "type": "object", "properties": properties });
        to_form(text, &Parameter::of_object(&schema)).map(|mut answer| answer["content"].take())
    }

    #[test]
    fn an_answer_is_a_key_and_what_stands_behind_it() {
        let parsed = "sure#2={\"a\":\"=\"}".parse::<Answer>();
        assert_eq!(parsed, Ok(Answer { key: "sure#2".to_owned(), text: r#"{"a":"="}"#.to_owned() }));
        assert!("sure".parse::<Answer>().is_err());
        assert!("=true".parse::<Answer>().is_err());
    }

    #[test]
    fn the_only_field_may_stand_alone() {
        let text = json!({ "name": { "type": "string" } });
        for (typed, value) in [("Bob", "Bob"), ("\"Bob\"", "Bob"), ("007", "007"), ("5", "5"), ("true", "true")] {
            assert_eq!(answer(typed, &text), Ok(json!({ "name": value })), "{typed}");
        }
        assert_eq!(answer(r#""decline""#, &text), Ok(json!({ "name": "decline" })));
        assert_eq!(answer(r#"{"name":"Bob"}"#, &text), Ok(json!({ "name": "Bob" })));

        assert_eq!(answer("true", &json!({ "sure": { "type": "boolean" } })), Ok(json!({ "sure": true })));
        assert_eq!(answer("2", &json!({ "seats": { "type": "integer" } })), Ok(json!({ "seats": 2 })));
        assert_eq!(answer("x", &json!({ "seats": { "type": "integer" } })), Err("expected an integer".to_owned()));
        let one = json!({ "seat": { "type": "string", "oneOf": [{ "const": "aisle", "title": "Aisle" }] } });
        assert_eq!(answer("aisle", &one), Ok(json!({ "seat": "aisle" })));
        assert_eq!(answer("roof", &one), Err("expected `aisle`".to_owned()));
        let several = json!({ "extras": { "type": "array", "items": { "type": "string", "enum": ["bag", "meal"] } } });
        assert_eq!(answer("bag", &several), Ok(json!({ "extras": ["bag"] })));
        assert_eq!(answer(r#"["bag","meal"]"#, &several), Ok(json!({ "extras": ["bag", "meal"] })));
    }

    #[test]
    fn several_fields_are_given_as_an_object() {
        let two = json!({ "a": { "type": "string" }, "b": { "type": "string" } });
        assert_eq!(answer(r#"{"a":"1"}"#, &two), Ok(json!({ "a": "1" })));
        let expected = "expected a JSON object with `a`, `b`, or `decline` or `cancel`";
        assert_eq!(answer("x", &two), Err(expected.to_owned()));
        assert!(answer(r#"{"a":"#, &two).unwrap_err().starts_with("expected a JSON object: EOF"));
    }

    #[test]
    fn no_is_an_answer() {
        let form = json!({ "properties": { "name": { "type": "string" } } });
        let fields = Parameter::of_object(&form);
        for word in ["decline", "cancel"] {
            assert_eq!(to_form(word, &fields), Ok(json!({ "action": word })));
            assert_eq!(to_page(word), Ok(json!({ "action": word })));
        }
        assert_eq!(to_page("accept"), Ok(json!({ "action": "accept" })));
        assert_eq!(to_page("maybe"), Err("expected `accept`, `decline` or `cancel`".to_owned()));
    }

    #[test]
    fn each_answer_is_used_once() {
        let answers = ["a=1", "sure=2", "a=3", "suer=4"].map(|text| text.parse().unwrap());
        let mut given = Given::new(answers.to_vec());
        assert_eq!(given.take("a").as_deref(), Some("1"));
        assert_eq!(given.take("sure").as_deref(), Some("2"));
        assert_eq!(given.take("sure"), None);
        let unused: Vec<_> = given.unused().collect();
        let told = [
            "`--answer a=…` was not used: it was not asked that often",
            "`--answer suer=…` was not used: no such question was asked, only `a`, `sure`; did you mean `sure`?",
        ];
        assert_eq!(unused, told);
    }
}
