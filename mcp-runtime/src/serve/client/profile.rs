//! What a client tells the server about itself, and the messages that it writes. No other code writes them.

use serde::Serialize;
use serde_json::{Map, Value};

use super::request::{ClientRequest, RoundInput};
#[cfg(any(feature = "cli", feature = "remote"))]
use crate::wire::protocol::error::RpcError;
use crate::wire::protocol::{
    json::{object, set},
    level::Level,
    revision::Revision,
};

/// What a client tells the server about itself. In a session it says so once, and since 2026-07-28 in each message.
#[derive(Clone, Debug)]
pub(crate) struct ClientProfile {
    pub(crate) revision: Revision,
    /// The name and the version.
    pub(crate) info: Value,
    pub(crate) capabilities: Value,
    /// The lowest level of log messages to receive. `None` if the client wants no log messages.
    pub(crate) log_level: Option<Level>,
}

/// What a client can do for a server.
#[cfg(any(feature = "dev", feature = "testing"))]
#[derive(Clone, Copy)]
pub(crate) struct ClientAbilities {
    pub(crate) elicitation: bool,
    pub(crate) sampling: bool,
    pub(crate) roots: bool,
    /// Whether the client shows views.
    pub(crate) views: bool,
}

#[cfg(any(feature = "dev", feature = "testing"))]
impl ClientAbilities {
    /// Returns the capabilities of a client of this revision.
    pub(crate) fn declared(self, revision: Revision) -> Value {
        use crate::wire::protocol::{
            json::object_of_some,
            view::{EXTENSION, MIME_TYPE},
        };
        use serde_json::json;

        let Self { elicitation, sampling, roots, views } = self;
        let modes = if revision.has_url_elicitation() { json!({ "form": {}, "url": {} }) } else { json!({}) };
        let tools = if revision.has_sampling_tools() { json!({ "tools": {} }) } else { json!({}) };
        let view = json!({ EXTENSION: { "mimeTypes": [MIME_TYPE] } });
        object_of_some([
            ("roots", roots.then(|| json!({}))),
            ("sampling", sampling.then_some(tools)),
            ("elicitation", (elicitation && revision.has_elicitation()).then_some(modes)),
            ("extensions", views.then_some(view)),
        ])
    }
}

/// A message of the client.
#[derive(Serialize)]
pub(crate) struct ClientMessage<'a, P> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    method: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<ClientParams<P>>,
}

#[derive(Serialize)]
struct ClientParams<P> {
    #[serde(flatten)]
    members: P,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Value>,
}

/// The `params` of one round of a call.
#[derive(Serialize)]
pub(crate) struct RoundParams<'a> {
    #[serde(flatten)]
    request: &'a ClientRequest,
    #[serde(flatten)]
    input: &'a RoundInput,
}

impl ClientProfile {
    /// Creates the profile of a client of the newest revision.
    pub(crate) fn newest(name: &str, capabilities: Value, log_level: Option<Level>) -> Self {
        let info = object([("name", name.into()), ("version", env!("CARGO_PKG_VERSION").into())]);
        Self { revision: Revision::LATEST, info, capabilities, log_level }
    }

    /// Returns the request of one round of a call. Its progress token is its id.
    pub(crate) fn round<'a>(
        &self,
        id: u64,
        request: &'a ClientRequest,
        input: &'a RoundInput,
    ) -> ClientMessage<'a, RoundParams<'a>> {
        let reports_progress = self.revision.is_modern() || request.is_call();
        let mut meta = self.meta(reports_progress.then_some(id));
        if let Some(key) = &input.idempotency_key {
            set(meta.get_or_insert_default(), "idempotency-key", key.as_str().into());
        }
        #[cfg(feature = "remote")]
        if !input.passed_on.is_empty() {
            input.passed_on.add_to(meta.get_or_insert_default());
        }
        message(Some(id), request.method(), Some(RoundParams { request, input }), meta)
    }

    /// Returns a request whose params have these members.
    pub(crate) fn request<'a, P: Serialize>(&self, id: u64, method: &'a str, members: P) -> ClientMessage<'a, P> {
        message(Some(id), method, Some(members), self.meta(self.revision.is_modern().then_some(id)))
    }

    /// Returns the notification that cancels the request with this id.
    pub(crate) fn cancellation(&self, id: u64, reason: &str) -> ClientMessage<'static, Value> {
        let members = object([("requestId", id.into()), ("reason", reason.into())]);
        message(None, "notifications/cancelled", Some(members), self.meta(None))
    }

    /// Returns the notification that ends the handshake of a session.
    pub(crate) fn initialized() -> ClientMessage<'static, ()> {
        message(None, "notifications/initialized", None, None)
    }

    /// Returns the params of `initialize`.
    pub(crate) fn handshake(&self) -> Value {
        object([
            ("protocolVersion", self.revision.as_str().into()),
            ("capabilities", self.capabilities.clone()),
            ("clientInfo", self.info.clone()),
        ])
    }

    /// Returns the `_meta` of a message. Before 2026-07-28, it has only a progress token.
    fn meta(&self, progress_token: Option<u64>) -> Option<Map<String, Value>> {
        let mut meta = self.about_client();
        if let Some(token) = progress_token {
            set(&mut meta, "progressToken", token.into());
        }
        (!meta.is_empty()).then_some(meta)
    }

    /// Returns the members of `_meta` that say what the client is. Before 2026-07-28, the handshake says it.
    pub(super) fn about_client(&self) -> Map<String, Value> {
        let mut meta = Map::new();
        if self.revision.is_modern() {
            set(&mut meta, "io.modelcontextprotocol/protocolVersion", self.revision.as_str().into());
            set(&mut meta, "io.modelcontextprotocol/clientInfo", self.info.clone());
            set(&mut meta, "io.modelcontextprotocol/clientCapabilities", self.capabilities.clone());
            if let Some(level) = self.log_level {
                set(&mut meta, "io.modelcontextprotocol/logLevel", level.as_str().into());
            }
        }
        meta
    }
}

fn message<P>(
    id: Option<u64>,
    method: &str,
    members: Option<P>,
    meta: Option<Map<String, Value>>,
) -> ClientMessage<'_, P> {
    let params = members.map(|members| ClientParams { members, meta: meta.map(Value::from) });
    ClientMessage { jsonrpc: "2.0", id, method, params }
}

/// Returns the response to a request of the server. `member` is `result` or `error`.
pub(crate) fn response(id: &Value, (member, value): (&str, Value)) -> Value {
    object([("jsonrpc", "2.0".into()), ("id", id.clone()), (member, value)])
}

/// Returns the answer of a client to a request of the server that is not a question of a call. See [`response`].
#[cfg(any(feature = "cli", feature = "remote"))]
pub(crate) fn answer_to_request(method: &str) -> (&'static str, Value) {
    match method {
        "ping" => ("result", object([])),
        _ => {
            let RpcError { code, message, .. } = RpcError::method_not_found(method);
            ("error", object([("code", code.into()), ("message", message.into())]))
        }
    }
}
