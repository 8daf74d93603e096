//! One round of a call: the request to the engine, and its reply.
//!
//! A host is a client of its own server, and uses the newest revision of the protocol. So a plugin call works like any
//! other call: the engine keeps the call's journal, the ledger makes each round run once, and a stored `requestState`
//! resumes the call after a restart.

use std::sync::{Arc, atomic::Ordering};

use serde_json::{Value, json};

use crate::{
    Service,
    apps::plugin::{
        calls::{
            live::{EngineReply, LiveCall},
            record::CallStep,
        },
        timeline::event::TimelineEventKind,
    },
    engine::call::{
        MessageSink,
        body::Body,
        message_sink::{Application, ProgressReport},
        operation::Operation,
    },
    serve::{
        client::{ClientProfile, ClientReply, ServiceClient},
        server::reply_to::TakesReply,
    },
    wire::protocol::{
        frame::Frame,
        level::Level,
        params::{Meta, Params},
        text::json_string,
        view,
    },
};

/// Returns the client that makes the calls of a host. A page of the application can show views.
pub(crate) fn client(service: &Service) -> ServiceClient {
    let mut views = json!({ "mimeTypes": [view::MIME_TYPE] });
    if cfg!(feature = "views-preview") {
        views[view::ELICITATION] = json!({});
    }
    let capabilities = json!({ "elicitation": { "form": {}, "url": {} }, "extensions": { view::EXTENSION: views } });
    ServiceClient::connect(service, &ClientProfile::newest("plugin", capabilities, Some(Level::Debug)))
}

/// Sends the request of a round. The call receives the reply as an [`EngineReply`]. `is_durable` says whether the call
/// survives the end of the process.
pub(crate) fn send(client: &ServiceClient, call: &Arc<LiveCall>, id: u64, step: &CallStep, is_durable: bool) {
    let (name, started) = (json_string(&call.tool), call.timeline.started());
    let (answers, state) = match step {
        CallStep::Answered { state, key, answer } => (Some(answer.under(key)), Some(json_string(state))),
        _ => (None, None),
    };
    // If the first request is sent again after a restart, the engine uses this key to find what the earlier request
    // recorded.
    let key = (is_durable && state.is_none()).then(|| json_string(&call.id));
    let params = Params {
        meta: Meta { idempotency_key: key.as_deref(), ..Meta::default() },
        name: Some(&name),
        arguments: Some(started.text()),
        input_responses: answers.as_deref(),
        request_state: state.as_deref(),
        ..Params::default()
    };
    let receiver = Arc::new(CallReceiver { call: Arc::clone(call), request: id });
    client.send(&receiver, call.owner.clone(), id, Operation::CallTool.method(), &params);
}

/// Receives what the server sends about one request.
struct CallReceiver {
    call: Arc<LiveCall>,
    request: u64,
}

impl CallReceiver {
    fn replied(&self, reply: serde_json::Result<ClientReply>) {
        self.call.replied(EngineReply { request: self.request, reply });
    }
}

impl TakesReply for CallReceiver {
    fn take(&self, body: Body) {
        self.replied(ClientReply::of(body));
    }
}

impl MessageSink for CallReceiver {
    fn send(&self, frame: Frame) {
        if let Some(reply) = ClientReply::of_frame(&frame).transpose() {
            self.replied(reply);
        }
    }

    fn log(&self, level: Level, _: &str, data: &[u8]) {
        match instead_of(data.len()) {
            Some(instead) => self.call.timeline.push_log(level, json_string(&instead).as_bytes()),
            None => self.call.timeline.push_log(level, data),
        }
    }

    fn progress(&self, report: &ProgressReport<'_>) {
        let &ProgressReport { value: progress, total, message, .. } = report;
        let message = message.map(|message| instead_of(message.len()).unwrap_or_else(|| message.to_owned()));
        self.call.timeline.push(&TimelineEventKind::Progress { progress, total, message });
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

impl Application for CallReceiver {
    fn handed_off(&self, handoff: &str) {
        self.call.handoff.lock().get_or_insert_with(|| handoff.into());
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
