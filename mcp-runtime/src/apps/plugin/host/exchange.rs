//! One round of a call: the request to the engine, and its reply.
//!
//! A host is a client of its own server, and uses the newest revision of the protocol. So a plugin call works like any
//! other call: the engine keeps the call's journal, the ledger makes each round run once, and a stored `requestState`
//! resumes the call after a restart.

use std::sync::{Arc, atomic::Ordering};

use serde_json::{Map, Value, json, value::RawValue};

use crate::{
    Service,
    apps::plugin::{
        calls::{
            live::{Command, LiveCall},
            record::CallStep,
            round_reply::RoundReply,
        },
        timeline::event::TimelineEventKind,
    },
    engine::call::{MessageSink, message_sink::Application, request::Peer},
    serve::client::{
        ClientProfile, ClientRequest, Log, Report, RoundInput, ServerMessage, ServerNotification, ServiceClient,
    },
    wire::protocol::{frame::Frame, level::Level},
};

/// Returns the client that makes the calls of a host.
pub(crate) fn client(service: &Service) -> ServiceClient {
    let capabilities = json!({ "elicitation": { "form": {}, "url": {} } });
    ServiceClient::connect(service, ClientProfile::newest("plugin", capabilities, Some(Level::Debug)))
}

/// Sends the request of a round. The call receives the reply as a [`Command::Reply`]. `is_durable` says whether the call
/// survives the end of the process.
pub(crate) fn send(client: &ServiceClient, call: &Arc<LiveCall>, id: u64, step: &CallStep, is_durable: bool) {
    let input = match step {
        CallStep::Answered { state, key, answer } => RoundInput {
            input_responses: Some(Map::from_iter([(key.to_string(), json!(answer))])),
            request_state: Some(state.to_string()),
            idempotency_key: None,
        },
        // If the first request is sent again after a restart, the engine uses this key to find what the earlier
        // request recorded.
        _ => RoundInput { idempotency_key: is_durable.then(|| call.id.to_string()), ..RoundInput::default() },
    };
    let arguments = Some(call.timeline.started().arguments().to_owned());
    let request = ClientRequest::Tool { name: call.tool.to_string(), arguments };
    let peer = Peer::new(Arc::new(CallSink { call: Arc::clone(call), request: id }), call.owner.clone());
    client.send_round(&peer, id, &request, &input);
}

/// Receives the messages of one request.
struct CallSink {
    call: Arc<LiveCall>,
    request: u64,
}

impl MessageSink for CallSink {
    fn send(&self, frame: Frame) {
        let message = ServerMessage::of(&frame);
        if frame.status.is_some() {
            let reply = RoundReply::of(message, frame.status);
            return self.call.command(Command::Reply { request: self.request, reply });
        }
        match message {
            Ok(ServerMessage::Notification(ServerNotification::Log(Log { level, data, .. }))) => {
                let data = instead_of(frame.head.len()).map_or(data, Value::String);
                self.call.timeline.push(&TimelineEventKind::Log { level, data });
            }
            Ok(ServerMessage::Notification(ServerNotification::Progress(Report { progress, total, message }))) => {
                let message = instead_of(frame.head.len()).or(message);
                self.call.timeline.push(&TimelineEventKind::Progress { progress, total, message });
            }
            _ => {}
        }
    }

    fn application(&self) -> Option<&dyn Application> {
        Some(self)
    }
}

/// The most bytes of a log message, of the message of a progress report, and of the text of a model.
const MOST_MESSAGE: usize = 64 * 1024;

/// Returns the words that replace a text of this many bytes. Returns `None` if it is not too long.
pub(crate) fn instead_of(bytes: usize) -> Option<String> {
    (bytes > MOST_MESSAGE).then(|| format!("left out: {bytes} bytes, and a timeline shows at most {MOST_MESSAGE}"))
}

impl Application for CallSink {
    fn handed_off(&self, handoff: &str) {
        if let Ok(handoff) = RawValue::from_string(handoff.to_owned()) {
            self.call.handoff.lock().get_or_insert(handoff);
        }
    }

    fn begun(&self) {
        self.call.has_begun.store(true, Ordering::Release);
    }

    /// Reads a `CreateMessageResult`. Its content is one block or a list of blocks.
    fn sampled(&self, key: &str, answer: Option<&str>) {
        let answer: Value = serde_json::from_str(answer.unwrap_or_default()).unwrap_or_default();
        let content = &answer["content"];
        let text =
            content["text"].as_str().or_else(|| content.as_array()?.iter().find_map(|block| block["text"].as_str()));
        self.call.timeline.push(&TimelineEventKind::Sample {
            key: key.to_owned(),
            model: answer["model"].as_str().map(str::to_owned),
            text: text.map(|text| instead_of(text.len()).unwrap_or_else(|| text.to_owned())),
        });
    }
}
