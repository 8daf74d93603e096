//! The requests of a client that sends many: what each says about the client is written once.

use std::ops::Deref;

use serde_json::{Map, Value, json};

use super::{
    profile::ClientProfile,
    request::{ClientRequest, RoundInput},
};
use crate::wire::protocol::{frame::push_json, text::push_json_string};

/// A client, and what each of its requests says about it.
#[derive(Clone, Debug)]
pub(crate) struct WrittenClient {
    pub(crate) profile: ClientProfile,
    /// The members of `_meta`, each with a comma behind it.
    meta: String,
}

impl Deref for WrittenClient {
    type Target = ClientProfile;

    fn deref(&self) -> &ClientProfile {
        &self.profile
    }
}

impl WrittenClient {
    pub(crate) fn new(profile: ClientProfile) -> Self {
        let mut meta = Vec::new();
        for (name, value) in profile.about_client() {
            push_json_string(&mut meta, &name);
            meta.push(b':');
            push_json(&mut meta, &value);
            meta.push(b',');
        }
        Self { profile, meta: text(meta) }
    }

    /// Returns the request of one round as JSON text. It equals that of [`ClientProfile::round`].
    pub(crate) fn round(&self, id: u64, request: &ClientRequest, input: &RoundInput) -> String {
        let mut out = Vec::with_capacity(256 + self.meta.len() + request.estimated_length());
        let number = id.to_string();
        out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        out.extend_from_slice(number.as_bytes());
        out.extend_from_slice(br#","method":""#);
        out.extend_from_slice(request.method().as_bytes());
        out.extend_from_slice(br#"","params":{"#);
        push_members(&mut out, request);
        if let Some(responses) = &input.input_responses {
            out.extend_from_slice(br#""inputResponses":"#);
            push_json(&mut out, responses);
            out.push(b',');
        }
        if let Some(state) = &input.request_state {
            push_text(&mut out, "requestState", state);
        }
        out.extend_from_slice(br#""_meta":{"#);
        out.extend_from_slice(self.meta.as_bytes());
        if self.profile.revision.is_modern() || request.is_call() {
            out.extend_from_slice(br#""progressToken":"#);
            out.extend_from_slice(number.as_bytes());
            out.push(b',');
        }
        if let Some(key) = &input.idempotency_key {
            push_text(&mut out, "idempotency-key", key);
        }
        if input.passed_on.hops > 0 {
            out.extend_from_slice(br#""hops":"#);
            out.extend_from_slice(input.passed_on.hops.to_string().as_bytes());
            out.push(b',');
        }
        for (name, value) in input.passed_on.trace_members() {
            value.iter().for_each(|value| push_text(&mut out, name, value));
        }
        close(&mut out);
        close(&mut out);
        out.push(b'}');
        text(out)
    }
}

/// Appends the members that say what is asked for.
fn push_members(out: &mut Vec<u8>, request: &ClientRequest) {
    match request {
        ClientRequest::Tool { name, arguments } | ClientRequest::Prompt { name, arguments } => {
            push_text(out, "name", name);
            if let Some(arguments) = arguments {
                out.extend_from_slice(br#""arguments":"#);
                out.extend_from_slice(arguments.get().as_bytes());
                out.push(b',');
            }
        }
        ClientRequest::Resource { uri } => push_text(out, "uri", uri),
        ClientRequest::Task { id, .. } => push_text(out, "taskId", id),
        ClientRequest::Completion(_) | ClientRequest::List { .. } => {
            let Value::Object(members) = json!(request) else { return };
            push_all(out, &members);
        }
    }
}

fn push_all(out: &mut Vec<u8>, members: &Map<String, Value>) {
    for (name, value) in members {
        push_json_string(out, name);
        out.push(b':');
        push_json(out, value);
        out.push(b',');
    }
}

/// Appends a member that is a text, with a comma behind it.
fn push_text(out: &mut Vec<u8>, name: &str, value: &str) {
    out.push(b'"');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(br#"":"#);
    push_json_string(out, value);
    out.push(b',');
}

/// Closes an object, whose last member has a comma behind it.
fn close(out: &mut Vec<u8>) {
    match out.last_mut() {
        Some(comma @ b',') => *comma = b'}',
        _ => out.push(b'}'),
    }
}

fn text(written: Vec<u8>) -> String {
    // Everything that is appended is JSON text.
    String::from_utf8(written).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::value::to_raw_value;

    use super::*;
    use crate::{
        engine::call::{operation::Operation, passed_on::PassedOn},
        serve::client::CompletedArgument,
        wire::protocol::{level::Level, params::Meta, revision::Revision},
    };

    #[test]
    fn a_written_request_equals_the_other_one() {
        let arguments = Some(to_raw_value(&json!({ "a": "\"ü\"", "b": [1] })).unwrap());
        let requests = [
            ClientRequest::Tool { name: "a\"b".to_owned(), arguments: arguments.clone() },
            ClientRequest::Tool { name: "a".to_owned(), arguments: None },
            ClientRequest::Prompt { name: "p".to_owned(), arguments },
            ClientRequest::Resource { uri: "file:///a".to_owned() },
            ClientRequest::Task { operation: Operation::UpdateTask, id: "t\"".to_owned() },
            ClientRequest::Completion(CompletedArgument::new("p", false, "a", "ü")),
            ClientRequest::List { method: "tools/list", cursor: Value::Null },
            ClientRequest::List { method: "tools/list", cursor: "next".into() },
        ];
        let meta = Meta { hops: Some("2"), traceparent: Some(r#""00-1""#), ..Meta::default() };
        let inputs = [
            RoundInput::default(),
            RoundInput {
                input_responses: json!({ "k": { "action": "accept" } }).as_object().cloned(),
                request_state: Some("s\n".to_owned()),
                idempotency_key: Some("key".to_owned()),
                passed_on: PassedOn::of(&meta),
            },
        ];
        for revision in [Revision::V2025_06_18, Revision::LATEST] {
            let newest = ClientProfile::newest("c", json!({ "roots": {} }), Some(Level::Info));
            let profile = ClientProfile { revision, ..newest };
            let written = WrittenClient::new(profile.clone());
            for request in &requests {
                for input in &inputs {
                    let other = serde_json::to_value(profile.round(7, request, input)).unwrap();
                    let text = written.round(7, request, input);
                    let mut read: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
                    if !revision.is_modern() && read["params"]["_meta"] == json!({}) {
                        read["params"].as_object_mut().unwrap().shift_remove("_meta");
                    }
                    assert_eq!(read, other);
                }
            }
        }
    }
}
