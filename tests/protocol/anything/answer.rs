//! The expected answer to any text. Written without the server's own parser, with `serde_json` only.

use mcp_runtime::Revision;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Value, json, value::RawValue};

use crate::protocol::rules::Rules;

/// The answer to one text.
#[derive(Debug)]
pub(super) enum Answer {
    /// No answer, because the text was a notification, a response, or empty.
    None,
    /// An error with this code and without an id.
    Refused(i64),
    /// A response to this request.
    To(Value),
    /// One array with these answers.
    Together(Vec<Answer>),
    /// At most one message: some JSON parsers reject the text (half a surrogate pair, a number beyond all bounds).
    Unclear,
}

/// Returns the expected answer to `text`. If `session` is given, the text is sent in a session of this revision.
pub(super) fn answer_to(text: &str, session: Option<Revision>) -> Answer {
    let text = text.trim_ascii();
    if text.is_empty() {
        return Answer::None;
    }
    if serde_json::from_str::<&RawValue>(text).is_err() {
        return Answer::Refused(-32700);
    }
    let Ok(message) = serde_json::from_str::<Value>(text) else { return Answer::Unclear };
    if !message.is_array() {
        return answer_to_message(text, &message);
    }
    if session != Some(Revision::V2025_03_26) {
        return Answer::Refused(-32600);
    }
    let messages: Vec<&RawValue> = serde_json::from_str(text).unwrap();
    if messages.is_empty() {
        return Answer::Refused(-32600);
    }
    let answers = messages.iter().map(|text| answer_to_message(text.get(), &serde_json::from_str(text.get()).unwrap()));
    let answers: Vec<Answer> = answers.filter(|answer| !matches!(answer, Answer::None)).collect();
    match &answers[..] {
        [] => Answer::None,
        answers if answers.iter().any(|answer| matches!(answer, Answer::Unclear)) => Answer::Unclear,
        _ => Answer::Together(answers),
    }
}

fn answer_to_message(text: &str, message: &Value) -> Answer {
    if !message.is_object() {
        return Answer::Refused(-32600);
    }
    let Names(mut names) = serde_json::from_str(text).unwrap();
    names.retain(|name| ["jsonrpc", "id", "method", "params", "result", "error"].contains(&&**name));
    names.sort_unstable();
    if names.windows(2).any(|pair| pair[0] == pair[1]) {
        return Answer::Refused(-32600);
    }
    let mut message = message.clone();
    write_integer(message.get_mut("id"));
    write_integer(message.pointer_mut("/params/_meta/progressToken"));
    let id = message.get("id");
    let readable = id.is_none_or(|id| id.is_string() || id.is_i64() || is_integer(id, text));
    let outcomes = ["result", "error"].map(|member| message.get(member));
    // Some libraries write both, one of them empty.
    let is_response = message.get("method").is_none()
        && outcomes.iter().any(Option::is_some)
        && outcomes.iter().any(|outcome| outcome.is_none_or(Value::is_null));
    let is_message =
        message["jsonrpc"] == "2.0" && version_is_plain(text) && (is_response || message["method"].is_string());
    match id {
        _ if is_message && is_response => Answer::None,
        None if is_message => Answer::None,
        Some(_) if readable => Answer::To(message),
        // The id of the answer is `0`, which is another value in JSON.
        Some(id) if id.as_f64() == Some(0.0) => Answer::Unclear,
        _ => Answer::Refused(-32600),
    }
}

/// Writes a number such as `1.0` as the integer that it is. Larger numbers can be inexact, and `-0` stays as it is.
fn write_integer(number: Option<&mut Value>) {
    let Some(number) = number else { return };
    let whole = number.as_f64().filter(|value| {
        let is_negative_zero = *value == 0.0 && value.is_sign_negative();
        number.is_f64() && value.fract() == 0.0 && value.abs() < 1e15 && !is_negative_zero
    });
    if let Some(whole) = whole {
        *number = json!(whole as i64);
    }
}

/// Whether `id` is written as an integer.
fn is_integer(id: &Value, text: &str) -> bool {
    #[derive(Deserialize)]
    struct Id<'a> {
        #[serde(borrow)]
        id: &'a RawValue,
    }
    let digits = |id: &RawValue| id.get().trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    id.is_number() && serde_json::from_str::<Id<'_>>(text).is_ok_and(|Id { id }| digits(id))
}

/// Whether the version is written without escapes. The server does not recognize a version with escapes.
fn version_is_plain(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Version<'a> {
        #[serde(borrow)]
        jsonrpc: &'a RawValue,
    }
    serde_json::from_str::<Version<'_>>(text).is_ok_and(|Version { jsonrpc }| jsonrpc.get() == r#""2.0""#)
}

/// The names of an object's members, including duplicates.
struct Names(Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Names;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Names, A::Error> {
                let mut names = Vec::new();
                while let Some((name, _)) = map.next_entry::<String, serde::de::IgnoredAny>()? {
                    names.push(name);
                }
                Ok(Names(names))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

impl Answer {
    /// Tells the rules which requests will be answered.
    pub(super) fn announce(&self, rules: &mut Rules) {
        match self {
            Self::To(message) => rules.expect_answer(message),
            Self::Together(answers) => answers.iter().for_each(|answer| answer.announce(rules)),
            Self::None | Self::Refused(_) | Self::Unclear => {}
        }
    }

    /// Whether the rules can check the messages. They can if it is known which requests were sent.
    pub(super) fn can_be_judged(&self) -> bool {
        !matches!(self, Self::Unclear)
    }

    /// Whether these messages are the expected answer.
    pub(super) fn is(&self, messages: &[Value]) -> bool {
        match (self, messages) {
            (Self::None, []) | (Self::Unclear, [] | [_]) => true,
            (Self::Together(answers), [Value::Array(responses)]) => {
                answers.len() == responses.len()
                    && answers.iter().zip(responses).all(|(answer, response)| answer.is_response(response))
            }
            (Self::To(_) | Self::Refused(_), [response]) => self.is_response(response),
            _ => false,
        }
    }

    fn is_response(&self, response: &Value) -> bool {
        match self {
            Self::Refused(code) => response.get("id").is_none() && response["error"]["code"] == json!(code),
            Self::To(request) => response["id"] == request["id"],
            Self::None | Self::Together(_) | Self::Unclear => false,
        }
    }
}
