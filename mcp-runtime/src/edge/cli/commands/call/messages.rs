//! The messages that the client sends and receives during a call.

use serde::Deserialize;
use serde_json::{Map, Value, value::RawValue};

use super::read_json;
use crate::{
    edge::cli::commands::answering::Askable,
    engine::{call::operation::Operation, tool::registered::RegisteredTool},
    wire::protocol::{
        json::{object, set},
        level::Level,
        revision::Revision,
        text::json_string,
    },
};

pub(super) struct CallRequest {
    /// The name of the tool or prompt.
    pub(super) name: String,
    method: &'static str,
    /// The members of `params`, as JSON text.
    members: String,
    /// The lowest level of log messages to receive. `None` if the client wants no log messages.
    log: Option<Level>,
}

/// One round of a call: one request. Each round after the first carries the answers to the previous round's questions.
#[derive(Default)]
pub(super) struct CallRound {
    number: u64,
    /// The answers to the questions of the previous round.
    answers: Option<Map<String, Value>>,
    state: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct ServerMessage {
    pub(super) method: Option<String>,
    pub(super) params: Option<Value>,
    pub(super) result: Option<Box<RawValue>>,
    pub(super) error: Option<ErrorMember>,
}

#[derive(Deserialize)]
pub(super) struct ErrorMember {
    pub(super) message: String,
    #[serde(default)]
    data: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InputRequired {
    #[serde(default)]
    pub(super) input_requests: Map<String, Value>,
    request_state: Option<String>,
}

/// The capabilities that the server needs and this client lacks.
pub(super) struct MissingCapability {
    user: bool,
    model: bool,
    /// Whether the tool needs a model that can call tools itself.
    model_with_tools: bool,
}

impl ErrorMember {
    /// Returns the missing capabilities, if they are the reason for the error.
    pub(super) fn wanted(&self) -> Option<MissingCapability> {
        let wanted = &self.data["requiredCapabilities"];
        let has = |name: &str| wanted.get(name).is_some();
        let model_with_tools = wanted["sampling"].get("tools").is_some();
        (has("elicitation") || has("sampling")).then(|| MissingCapability {
            user: has("elicitation"),
            model: has("sampling"),
            model_with_tools,
        })
    }
}

impl MissingCapability {
    /// Returns advice on how to answer the tool's questions in advance, and on what else the user can do. `more` is the
    /// command that shows the page of the tool.
    pub(super) fn advice(&self, more: Option<&str>, tool: &RegisteredTool) -> String {
        let mut advice = Vec::new();
        let is_answerable = |askable: &Askable| match askable {
            Askable::Model => self.model && !self.model_with_tools,
            Askable::Form { .. } | Askable::Page => self.user,
        };
        let askable: Vec<_> = Askable::of(tool).into_iter().filter(is_answerable).collect();
        if !askable.is_empty() {
            advice.push(
                "Connect standard input and standard error to a terminal, or answer the questions in advance:"
                    .to_owned(),
            );
            advice.extend(askable.iter().map(|askable| match askable {
                Askable::Form { .. } => format!("  {}", askable.example()),
                Askable::Model => format!("  {}   # the reply of a model, to any question", askable.example()),
                Askable::Page => format!("  {}   # any page to open", askable.example()),
            }));
            advice.push(format!(
                "If a key is asked twice, give the option twice. `KEY=decline` and `KEY=cancel` are also answers.{}",
                more.map(|more| format!(" For more, try `{more}`")).unwrap_or_default()
            ));
        }
        if self.model {
            advice.push("To let a model answer, add a provider to the server with `.sampling_provider(…)`.".to_owned());
        }
        advice.join("\n")
    }
}

impl InputRequired {
    /// Reads a result if it is an `InputRequiredResult`. Returns `None` for a result that ends the call.
    pub(super) fn read(result: &RawValue) -> Option<serde_json::Result<Self>> {
        let is_unfinished = read_json(result)["resultType"] == "input_required";
        is_unfinished.then(|| serde_json::from_str(result.get()))
    }
}

impl CallRequest {
    /// Creates a request that calls a tool or gets a prompt. The arguments are sent as written, so large numbers keep
    /// their digits.
    pub(super) fn call(operation: Operation, name: &str, arguments: &RawValue, log: Option<Level>) -> Self {
        let members = format!(r#""name":{},"arguments":{arguments}"#, json_string(name));
        Self { name: name.to_owned(), method: operation.method(), members, log }
    }

    /// Creates a request with this method and these `params`.
    pub(super) fn other(method: &'static str, name: &str, params: &Map<String, Value>, log: Option<Level>) -> Self {
        let members = params.iter().map(|(name, value)| format!("{}:{value}", json_string(name)));
        let members = members.collect::<Vec<_>>().join(",");
        Self { name: name.to_owned(), method, members, log }
    }
}

impl CallRound {
    /// Returns the next round. A round without answers is sent too, because the server counts the rounds.
    pub(super) fn next(&self, asked: InputRequired, answers: Option<Map<String, Value>>) -> Self {
        Self { number: self.number + 1, answers, state: asked.request_state }
    }

    /// Returns the request of this round. Its id is also its progress token.
    pub(super) fn message(&self, request: &CallRequest, capabilities: &Value) -> String {
        let mut meta = meta(capabilities);
        set(&mut meta, "progressToken", self.number.into());
        if let Some(level) = request.log {
            set(&mut meta, "io.modelcontextprotocol/logLevel", level.as_str().into());
        }
        let meta = Value::from(meta);
        let (id, CallRequest { method, members, .. }) = (self.number, request);
        let comma = if members.is_empty() { "" } else { "," };
        let mut params = format!(r#"{members}{comma}"_meta":{meta}"#);
        if let Some(answers) = &self.answers {
            params.push_str(&format!(r#","inputResponses":{}"#, Value::from(answers.clone())));
        }
        if let Some(state) = &self.state {
            params.push_str(&format!(r#","requestState":{}"#, json_string(state)));
        }
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}}}}}"#)
    }

    /// Returns the notification that cancels this round.
    pub(super) fn cancel(&self, capabilities: &Value) -> String {
        let params = object([
            ("requestId", self.number.into()),
            ("reason", "interrupted at the terminal".into()),
            ("_meta", meta(capabilities).into()),
        ]);
        let method = "notifications/cancelled".into();
        object([("jsonrpc", "2.0".into()), ("method", method), ("params", params)]).to_string()
    }
}

/// Returns the `_meta` of every message of a client since 2026-07-28.
fn meta(capabilities: &Value) -> Map<String, Value> {
    let client = object([("name", "mcp-runtime-cli".into()), ("version", env!("CARGO_PKG_VERSION").into())]);
    let mut meta = Map::new();
    set(&mut meta, "io.modelcontextprotocol/protocolVersion", Revision::LATEST.as_str().into());
    set(&mut meta, "io.modelcontextprotocol/clientInfo", client);
    set(&mut meta, "io.modelcontextprotocol/clientCapabilities", capabilities.clone());
    meta
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn params(round: &CallRound) -> Value {
        let arguments = RawValue::from_string(r#"{"n":10000000000000000000000}"#.to_owned()).unwrap();
        let request = CallRequest::call(Operation::CallTool, "say \"it\"", &arguments, None);
        let message = round.message(&request, &json!({ "roots": {} }));
        assert!(message.contains(r#""arguments":{"n":10000000000000000000000}"#), "{message}");
        let message: Value = serde_json::from_str(&message).unwrap();
        assert_eq!(message["id"], message["params"]["_meta"]["progressToken"]);
        json!([message["id"], message["params"]["inputResponses"], message["params"]["requestState"]])
    }

    #[test]
    fn each_round_sends_the_answers_to_the_questions_of_the_previous_round() {
        let first = CallRound::default();
        assert_eq!(params(&first), json!([0, null, null]));

        let read = |result: Value| InputRequired::read(&serde_json::value::to_raw_value(&result).unwrap());
        let asked = read(json!({ "resultType": "input_required", "inputRequests": { "a": {} }, "requestState": "s" }));
        let second = first.next(asked.unwrap().unwrap(), Some(Map::from_iter([("a".to_owned(), json!({}))])));
        assert_eq!(params(&second), json!([1, { "a": {} }, "s"]));

        let asked = read(json!({ "resultType": "input_required", "requestState": "t" }));
        let third = second.next(asked.unwrap().unwrap(), None);
        assert_eq!(params(&third), json!([2, null, "t"]));

        assert!(read(json!({ "resultType": "complete", "content": [] })).is_none());
        assert!(read(json!({ "resultType": "input_required", "inputRequests": 7 })).unwrap().is_err());
    }
}
