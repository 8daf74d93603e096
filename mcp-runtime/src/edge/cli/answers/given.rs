//! `--answer KEY=VALUE`: answers given in advance.

use std::{
    fmt::{self, Display},
    str::FromStr,
};

use serde_json::{Map, Value};

use crate::{
    edge::cli::items::{json_error::json_error, parameter::CliParameter},
    engine::elicit::leniency::leaves_out,
    wire::{
        protocol::json::object,
        schema::{Types, nearest::nearest},
    },
};

/// One `--answer` option: a key and a text. The meaning of the text depends on the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GivenAnswer {
    pub(crate) key: String,
    pub(crate) text: String,
}

/// All answers from the command line. Each answer is used at most once.
#[derive(Debug, Default)]
pub(crate) struct GivenAnswers {
    left: Vec<GivenAnswer>,
    /// The keys of the questions asked so far. The key `confirm#2` is stored without its number, as `confirm`.
    asked: Vec<String>,
    /// The keys of the questions in the definition of the tool or prompt.
    known: Vec<String>,
    /// `tool` or `prompt`.
    noun: &'static str,
}

impl FromStr for GivenAnswer {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((key, text)) if !key.is_empty() => Ok(Self { key: key.to_owned(), text: text.to_owned() }),
            _ => Err("expected KEY=VALUE, such as `confirm=true`"),
        }
    }
}

/// Shows the answer as on the command line, shortened.
impl Display for GivenAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 80;
        let end = self.text.char_indices().nth(SHOWN).map(|(at, _)| at);
        let (text, more) = end.map_or((&*self.text, ""), |end| (&self.text[..end], "…"));
        write!(f, "--answer {}={text}{more}", self.key)
    }
}

impl GivenAnswer {
    /// Returns the key of the question that this answer is for. Removes the number, so `confirm#2` becomes `confirm`.
    pub(crate) fn question(&self) -> &str {
        unnumbered(&self.key)
    }
}

/// Returns a key without its number: `confirm` for `confirm#2` and for `confirm/2`. The key `confirm#2` is the second
/// question with the key `confirm`, and `confirm/2` is the second try of the first question.
pub(crate) fn unnumbered(key: &str) -> &str {
    let mut key = key;
    while let Some((rest, number)) = key.rsplit_once(['#', '/'])
        && !rest.is_empty()
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
    {
        key = rest;
    }
    key
}

impl GivenAnswers {
    pub(crate) fn new(answers: Vec<GivenAnswer>, known: Vec<String>, noun: &'static str) -> Self {
        Self { left: answers, asked: Vec::new(), known, noun }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.left.is_empty() && self.asked.is_empty()
    }

    /// Whether an unused answer has a key that is not the key of a form.
    pub(crate) fn has_one_of_no_form(&self, is_form: impl Fn(&str) -> bool) -> bool {
        self.left.iter().any(|answer| !is_form(answer.question()))
    }

    /// Removes and returns the first unused answer for `key`. If there is none, looks for the key without its number,
    /// then for `word`, the key that stands for all questions of one kind.
    pub(crate) fn take(&mut self, key: &str, word: Option<&str>) -> Option<GivenAnswer> {
        if !self.was_asked(key) {
            self.asked.push(unnumbered(key).to_owned());
        }
        let names = [Some(key), Some(unnumbered(key)), word].into_iter().flatten();
        let at = names.filter_map(|name| self.left.iter().position(|answer| answer.key == name)).next()?;
        Some(self.left.remove(at))
    }

    /// Whether a question with this key was asked before. Ignores the number of the key.
    pub(crate) fn was_asked(&self, key: &str) -> bool {
        self.asked.iter().any(|asked| asked == unnumbered(key))
    }

    /// Returns a sentence for each unused answer. The sentence says why the answer was not used.
    pub(crate) fn unused(&self) -> impl Iterator<Item = String> {
        let noun = self.noun;
        self.left.iter().map(move |answer| {
            let reason = if self.was_asked(&answer.key) {
                format!("the {noun} did not ask this question again")
            } else if self.asked.is_empty() {
                format!("the {noun} asked nothing")
            } else if self.known.contains(&answer.key) {
                format!("the {noun} asked only {}", listed(&self.asked))
            } else {
                let more = self.asked.iter().filter(|asked| !self.known.contains(asked)).cloned();
                let keys: Vec<_> = self.known.iter().cloned().chain(more).collect();
                let meant = nearest(answer.question(), keys.iter().map(String::as_str));
                let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
                format!("the {noun} asked no question with this key{meant} (keys of this {noun}: {})", listed(&keys))
            };
            format!("`--answer {}=…` was not used: {reason}", answer.key)
        })
    }
}

fn listed(keys: &[String]) -> String {
    format!("`{}`", keys.join("`, `"))
}

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
            let meant = nearest(name, fields.iter().map(|field| field.name));
            let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
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
    fn splits_an_answer_at_the_first_equals_sign() {
        let parsed = "sure#2={\"a\":\"=\"}".parse::<GivenAnswer>();
        assert_eq!(parsed, Ok(GivenAnswer { key: "sure#2".to_owned(), text: r#"{"a":"="}"#.to_owned() }));
        assert!("sure".parse::<GivenAnswer>().is_err());
        assert!("=true".parse::<GivenAnswer>().is_err());
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

    #[test]
    fn uses_each_answer_once() {
        let answers = ["a=1", "sure=2", "a=3", "suer=4"].map(|text| text.parse().unwrap());
        let mut given = GivenAnswers::new(answers.to_vec(), vec!["sure".to_owned(), "never".to_owned()], "tool");
        let mut take = |key: &str| given.take(key, None).map(|answer| answer.text);
        assert_eq!(take("a").as_deref(), Some("1"));
        assert_eq!(take("sure").as_deref(), Some("2"));
        assert_eq!(take("sure"), None);
        let unused: Vec<_> = given.unused().collect();
        let told = [
            "`--answer a=…` was not used: the tool did not ask this question again",
            "`--answer suer=…` was not used: the tool asked no question with this key; did you mean `sure`? \
             (keys of this tool: `sure`, `never`, `a`)",
        ];
        assert_eq!(unused, told);
    }

    #[test]
    fn prefers_the_exact_key_then_the_key_then_the_kind() {
        let answers = ["a=1", "a=2", "a#4=4", "any=5", "b/2=6"].map(|text| text.parse().unwrap());
        let mut given = GivenAnswers::new(answers.to_vec(), Vec::new(), "tool");
        let mut take = |key: &str| given.take(key, Some("any")).map(|answer| answer.text);
        let taken = ["a", "a#2/2", "a#4", "a#5", "b", "b/2"].map(|key| take(key).unwrap_or_default());
        assert_eq!(taken, ["1", "2", "4", "5", "", "6"]);
    }

    #[test]
    fn removes_the_number_of_a_key() {
        for (key, without) in [("a", "a"), ("a#2", "a"), ("a#2/3", "a"), ("a/b", "a/b"), ("#2", "#2"), ("a#", "a#")] {
            assert_eq!(unnumbered(key), without);
        }
    }
}
