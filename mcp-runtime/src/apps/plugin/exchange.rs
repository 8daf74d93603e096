//! One round of a call: the request to the engine, and its reply.
//!
//! A host is a client of its own server, and uses the newest revision of the protocol. So a plugin call works like any
//! other call: the engine keeps the call's journal, the ledger makes each round run once, and a stored `requestState`
//! resumes the call after a restart.

use std::sync::{Arc, atomic::Ordering};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::time::Duration;

use super::{
    answer::PluginAnswer,
    live::{Command, LiveCall},
    question::RoundQuestions,
};
use crate::{
    engine::call::{Outlet, outlet::Application, request::Peer},
    serve::server::connection::{Connection, Received},
    wire::protocol::{frame::Frame, message::Message},
};

/// The reply that ends a round.
pub(super) enum RoundReply {
    Asks(RoundQuestions),
    /// The `CallToolResult` as JSON text.
    Done(Box<RawValue>),
    /// Nothing was lost: the same request may be sent again after this time.
    Later(Duration, String),
    Failed(String),
}

/// The params of `tools/call`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallParams<'a> {
    name: &'a str,
    arguments: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_responses: Option<OneResponse<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_state: Option<&'a str>,
    #[serde(rename = "_meta")]
    meta: CallMeta<'a>,
}

struct OneResponse<'a>(&'a str, &'a PluginAnswer);

#[derive(Serialize)]
struct CallMeta<'a> {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    protocol_version: &'a str,
    #[serde(rename = "io.modelcontextprotocol/clientInfo")]
    client_info: ClientInfo<'a>,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: &'a RawValue,
    #[serde(rename = "io.modelcontextprotocol/logLevel")]
    log_level: &'a str,
    #[serde(rename = "progressToken")]
    progress_token: u64,
    /// If the first request is sent again after a restart, the engine uses this key to find what the earlier request
    /// recorded.
    #[serde(rename = "idempotency-key", skip_serializing_if = "Option::is_none")]
    idempotency_key: Option<&'a str>,
}

#[derive(Serialize)]
struct ClientInfo<'a> {
    name: &'a str,
    version: &'a str,
}

#[derive(Serialize)]
struct WireRequest<'a, P> {
    jsonrpc: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    method: &'a str,
    params: P,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CancelledParams {
    request_id: u64,
}

/// Sends the request of a round. The call receives the reply as a [`Command::Reply`].
pub(super) fn send(
    connection: &Connection,
    call: &Arc<LiveCall>,
    id: u64,
    round: Option<(&str, &str, &PluginAnswer)>,
    is_durable: bool,
) {
    let capabilities = RawValue::from_string(r#"{"elicitation":{"form":{},"url":{}}}"#.to_owned());
    let capabilities = capabilities.unwrap_or_default();
    let meta = CallMeta {
        protocol_version: "2026-07-28",
        client_info: ClientInfo { name: "plugin", version: env!("CARGO_PKG_VERSION") },
        capabilities: &capabilities,
        log_level: "debug",
        progress_token: id,
        idempotency_key: (is_durable && round.is_none()).then_some(&*call.id),
    };
    let started = call.timeline.started();
    let params = CallParams {
        name: &call.tool,
        arguments: started.arguments(),
        input_responses: round.map(|(_, key, answer)| OneResponse(key, answer)),
        request_state: round.map(|(state, ..)| state),
        meta,
    };
    let request = WireRequest { jsonrpc: "2.0", id: Some(id), method: "tools/call", params };
    let text = serde_json::to_string(&request).unwrap_or_default();
    let outlet = Arc::new(CallOutlet { call: Arc::clone(call), request: id });
    let peer = Peer::new(Arc::clone(&outlet) as _, call.owner.clone());
    if let Received::Reply(frame) = connection.receive_from(&peer, Message::read(&text)) {
        outlet.send(frame);
    }
}

/// Cancels the open request with this id.
pub(super) fn cancel(connection: &Connection, id: u64) {
    let params = CancelledParams { request_id: id };
    let request = WireRequest { jsonrpc: "2.0", id: None, method: "notifications/cancelled", params };
    connection.receive(serde_json::to_string(&request).unwrap_or_default().as_bytes());
}

/// Receives the messages of one request.
struct CallOutlet {
    call: Arc<LiveCall>,
    request: u64,
}

impl Outlet for CallOutlet {
    fn send(&self, frame: Frame) {
        #[derive(Deserialize)]
        #[serde(tag = "method", content = "params")]
        enum CallNotification {
            #[serde(rename = "notifications/message")]
            Log(LogBody),
            #[serde(rename = "notifications/progress")]
            Progress(ProgressBody),
        }
        if frame.status.is_some() {
            return self.call.command(Command::Reply { request: self.request, frame });
        }
        match serde_json::from_slice(&frame.head) {
            Ok(CallNotification::Log(mut log)) => {
                if let Some(instead) = instead_of(frame.head.len()) {
                    log.data = instead.into();
                }
                self.call.timeline.push("log", &log);
            }
            Ok(CallNotification::Progress(mut progress)) => {
                if let Some(instead) = instead_of(frame.head.len()) {
                    progress.message = Some(instead);
                }
                self.call.timeline.push("progress", &progress);
            }
            Err(_) => {}
        }
    }

    fn application(&self) -> Option<&dyn Application> {
        Some(self)
    }
}

/// The most bytes of a log message, of the message of a progress report, and of the text of a model.
const MOST_MESSAGE: usize = 64 * 1024;

/// Returns the words that replace a text of this many bytes. Returns `None` if it is not too long.
pub(super) fn instead_of(bytes: usize) -> Option<String> {
    (bytes > MOST_MESSAGE).then(|| format!("left out: {bytes} bytes, and a timeline shows at most {MOST_MESSAGE}"))
}

#[derive(Serialize, Deserialize)]
struct LogBody {
    level: serde_json::Value,
    data: serde_json::Value,
}

#[derive(Serialize, Deserialize)]
struct ProgressBody {
    progress: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    total: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

impl Application for CallOutlet {
    fn handed_off(&self, handoff: &str) {
        if let Ok(handoff) = RawValue::from_string(handoff.to_owned()) {
            self.call.handoff.lock().get_or_insert(handoff);
        }
    }

    fn begun(&self) {
        self.call.has_begun.store(true, Ordering::Release);
    }

    fn sampled(&self, key: &str, answer: Option<&str>) {
        let sampled = SampledAnswer::read(key, answer.unwrap_or_default());
        self.call.timeline.push("sample", &sampled);
    }
}

/// The body of a `sample` event.
#[derive(Serialize)]
struct SampledAnswer<'a> {
    key: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl<'a> SampledAnswer<'a> {
    /// Reads a `CreateMessageResult`. Its content is one block or a list of blocks.
    fn read(key: &'a str, answer: &str) -> Self {
        let answer: serde_json::Value = serde_json::from_str(answer).unwrap_or_default();
        let content = &answer["content"];
        let text = content["text"].as_str().or_else(|| {
            let blocks = content.as_array()?.iter();
            blocks.filter_map(|block| block["text"].as_str()).next()
        });
        let text = text.map(|text| instead_of(text.len()).unwrap_or_else(|| text.to_owned()));
        Self { key, model: answer["model"].as_str().map(Into::into), text }
    }
}

impl Serialize for OneResponse<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.0, self.1)])
    }
}

impl RoundReply {
    pub(super) fn read(frame: &Frame) -> Self {
        #[derive(Deserialize)]
        struct WireReply {
            result: Option<Box<RawValue>>,
            error: Option<WireError>,
        }
        #[derive(Deserialize)]
        struct WireError {
            message: String,
            data: Option<RetryData>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct RetryData {
            retry_after_ms: Option<u64>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct ResultType {
            result_type: Option<String>,
        }
        const SOON: Duration = Duration::from_secs(1);
        let text = frame.to_string();
        let reply: WireReply = match serde_json::from_str(&text) {
            Ok(reply) => reply,
            Err(error) => return Self::Failed(format!("the reply of the tool cannot be read: {error}")),
        };
        if let Some(WireError { message, data }) = reply.error {
            let after = data.and_then(|data| data.retry_after_ms).map(Duration::from_millis);
            return match after.or_else(|| (frame.status == Some(503)).then_some(SOON)) {
                Some(after) => Self::Later(after, message),
                None => Self::Failed(message),
            };
        }
        let result = reply.result.unwrap_or_default();
        let kind = serde_json::from_str::<ResultType>(result.get()).ok().and_then(|kind| kind.result_type);
        if kind.as_deref() != Some("input_required") {
            return Self::Done(stripped(&result));
        }
        match serde_json::from_str(result.get()) {
            Ok(asks) => Self::Asks(asks),
            Err(error) => Self::Failed(format!("the questions of the tool cannot be read: {error}")),
        }
    }
}

/// Removes the members that only the protocol needs.
fn stripped(result: &RawValue) -> Box<RawValue> {
    let Ok(mut object) = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(result.get()) else {
        return result.to_owned();
    };
    object.remove("resultType");
    if let Some(serde_json::Value::Object(meta)) = object.get_mut("_meta") {
        meta.remove("io.modelcontextprotocol/serverInfo");
        if meta.is_empty() {
            object.remove("_meta");
        }
    }
    serde_json::value::to_raw_value(&object).unwrap_or_else(|_| result.to_owned())
}
