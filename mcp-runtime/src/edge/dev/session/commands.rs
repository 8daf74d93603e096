//! The command lines that do what a call does, quoted for a POSIX shell.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{
    api::{
        call::{AnyAnswer, CallRequest, DevCall, DevQuestion, QuestionKind},
        event::CallEventKind,
        new_call::{NewCall, PreparedAnswer},
    },
    client::profile,
};
use crate::{
    edge::dev::target::ClientSetup,
    serve::client::{ClientProfile, RoundInput},
    wire::protocol::revision::Revision,
};

#[derive(Debug, Serialize)]
pub(crate) struct CallCommands {
    pub(crate) cli: String,
    /// `None` if the call was not made over HTTP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) curl: Option<String>,
}

/// What the command lines repeat.
pub(super) struct Repeated<'a> {
    request: &'a CallRequest,
    setup: &'a ClientSetup,
    /// The answers that a command line can give, each with the name and the kind of its question.
    answers: Vec<(&'a str, QuestionKind, &'a AnyAnswer)>,
}

impl<'a> Repeated<'a> {
    pub(super) fn of_call(call: &'a DevCall) -> Self {
        let is_modern = Revision::parse(&call.setup.revision).is_some_and(Revision::is_modern);
        let named =
            |(question, answer): (&'a DevQuestion, _)| Some((question.name(is_modern)?, question.kind(), answer));
        let answers = answers(call).into_iter().filter_map(named).collect();
        Self { request: &call.request, setup: &call.setup, answers }
    }

    /// A call that has not begun. An answer is given on the command line if it names its question.
    pub(super) fn of_input(NewCall { request, setup, answers, .. }: &'a NewCall) -> Self {
        let named = |PreparedAnswer { kind, key, answer }: &'a PreparedAnswer| {
            Some((key.as_deref()?, kind.unwrap_or(QuestionKind::Form), answer))
        };
        Self { request, setup, answers: answers.iter().filter_map(named).collect() }
    }

    /// Returns the commands. `url` is that of the server, if the call is made over HTTP.
    ///
    /// # Errors
    /// Fails if the call has an unknown revision.
    pub(super) fn commands(&self, program: &str, url: Option<&str>) -> Result<CallCommands, String> {
        let profile = profile(self.setup)?;
        let requests = if profile.revision.is_modern() { once } else { session };
        Ok(CallCommands { cli: self.command_line(program), curl: url.map(|url| requests(&profile, self, url)) })
    }

    fn command_line(&self, program: &str) -> String {
        let mut line = quoted(program);
        match self.request {
            CallRequest::Tool { name, arguments } => {
                _ = write!(line, " call {}{}", quoted(name), options(arguments));
            }
            CallRequest::Prompt { name, arguments } => {
                _ = write!(line, " prompt {}{}", quoted(name), options(arguments));
            }
            CallRequest::Resource { uri } => _ = write!(line, " read {}", quoted(uri)),
        }
        for (name, kind, answer) in &self.answers {
            if let Some(text) = answer_text(*kind, answer) {
                _ = write!(line, " --answer {}", quoted(&format!("{name}={text}")));
            }
        }
        line
    }
}

/// Returns the questions of a call and their answers, in the order of the questions.
pub(super) fn answers(call: &DevCall) -> Vec<(&DevQuestion, &AnyAnswer)> {
    let events = || call.events.iter().flatten();
    let mut answers: Vec<_> = events()
        .filter_map(|event| match &event.kind {
            CallEventKind::Answered { seq, answer, .. } => Some((*seq, answer)),
            _ => None,
        })
        .collect();
    answers.sort_by_key(|(seq, _)| *seq);
    let question = |seq: u32| {
        events().find_map(|event| match &event.kind {
            CallEventKind::Asked { question } if question.seq() == seq => Some(question),
            _ => None,
        })
    };
    answers.into_iter().filter_map(|(seq, answer)| Some((question(seq)?, answer))).collect()
}

/// Returns an answer as the command line reads it. `None` if it cannot be given there.
fn answer_text(kind: QuestionKind, answer: &AnyAnswer) -> Option<String> {
    Some(match (kind, answer) {
        (QuestionKind::Url, AnyAnswer::Accept { .. }) => "accept".to_owned(),
        (_, AnyAnswer::Accept { content }) => json!(content.clone().unwrap_or_default()).to_string(),
        (_, AnyAnswer::Decline) => "decline".to_owned(),
        (_, AnyAnswer::Cancel) => "cancel".to_owned(),
        (_, AnyAnswer::Reply { text: Some(text), .. }) => json!(text).to_string(),
        (_, AnyAnswer::Reply { result: Some(result), .. }) => result.get("content")?.get("text")?.to_string(),
        _ => return None,
    })
}

/// Returns arguments as options, or as one JSON object if one of them cannot be an option.
fn options(arguments: &Map<String, Value>) -> String {
    let mut line = String::new();
    for (name, value) in arguments {
        let values = match value {
            Value::Array(values) if !values.is_empty() => values.iter().map(scalar).collect(),
            value => scalar(value).map(|text| vec![Some(text)]).unwrap_or_else(|| vec![None]),
        };
        let is_option = name.starts_with(|first: char| first.is_alphanumeric() || first == '_')
            && !name.contains(|char: char| char == '=' || char.is_whitespace());
        let Some(values) = values.into_iter().collect::<Option<Vec<_>>>().filter(|_| is_option) else {
            return format!(" {}", quoted(&json!(arguments).to_string()));
        };
        for text in values {
            match text.as_str() {
                "true" if value.is_boolean() => _ = write!(line, " --{name}"),
                text if text.starts_with('-') || value.is_boolean() || text.is_empty() => {
                    _ = write!(line, " {}", quoted(&format!("--{name}={text}")));
                }
                text => _ = write!(line, " --{name} {}", quoted(text)),
            }
        }
    }
    line
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Returns one request that is self-contained.
fn once(profile: &ClientProfile, repeated: &Repeated<'_>, url: &str) -> String {
    let request = repeated.request.to_client();
    let body = text(&profile.round(1, &request, &RoundInput::default()));
    let headers = [
        ("mcp-protocol-version", profile.revision.as_str().to_owned()),
        ("mcp-method", request.method().to_owned()),
        ("mcp-name", repeated.request.name().to_owned()),
    ];
    curl(repeated, url, &headers, &body)
}

/// Returns the requests of a session: the handshake, and the call.
fn session(profile: &ClientProfile, repeated: &Repeated<'_>, url: &str) -> String {
    let request = repeated.request.to_client();
    let begin = text(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": profile.handshake() }));
    let begun = curl(repeated, url, &[], &begin).replacen("curl -sS", "curl -sS -D - -o /dev/null", 1);
    let version = ("mcp-protocol-version", profile.revision.as_str().to_owned());
    let headers = [version, ("mcp-session-id", "@SESSION@".to_owned())];
    let in_session = |body: &str| {
        curl(repeated, url, &headers, body).replace("'mcp-session-id: @SESSION@'", "\"mcp-session-id: $SESSION\"")
    };
    let initialized = in_session(&text(&ClientProfile::initialized()));
    let called = in_session(&text(&profile.round(2, &request, &RoundInput::default())));
    format!("SESSION=$({begun} | tr -d '\\r' | sed -n 's/^[Mm]cp-[Ss]ession-[Ii]d: //p')\n{initialized}\n{called}")
}

fn curl(repeated: &Repeated<'_>, url: &str, headers: &[(&str, String)], body: &str) -> String {
    let mut line = format!("curl -sS {}", quoted(url));
    let usual = [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
    for (name, value) in usual.into_iter().chain(headers.iter().map(|(name, value)| (*name, &**value))) {
        _ = write!(line, " \\\n  -H {}", quoted(&format!("{name}: {value}")));
    }
    if repeated.setup.principal.is_some() {
        line.push_str(" \\\n  -H \"authorization: Bearer $TOKEN\"");
    }
    _ = write!(line, " \\\n  --data {}", quoted(body));
    line
}

fn text(message: &impl Serialize) -> String {
    serde_json::to_string(message).unwrap_or_default()
}

/// Returns a word of a POSIX shell.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "-_=./:,@%+".contains(char);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
