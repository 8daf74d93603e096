//! An open connection, and what travels over it.

use std::{future::poll_fn, pin::pin, task::Poll};

use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::{
    client::Settings,
    limit::{Limit, Overdue},
    transcript::Transcript,
};
use crate::{server::Service, transport::MemoryClient};

/// One end of a connection in memory.
pub(super) struct Connection {
    memory: MemoryClient,
    pub(super) transcript: Transcript,
    pub(super) opened: bool,
    last_id: i64,
}

/// A message of the server.
pub(super) enum Message {
    Request { id: Value, body: Value },
    Notification { method: String, params: Value },
    Response { id: Value, body: Value },
}

impl Connection {
    pub(super) fn new(service: &Service, settings: &Settings) -> Self {
        Self { memory: connected(service, settings), transcript: Transcript::default(), opened: false, last_id: 0 }
    }

    /// Sends a request as the client's revision wants it; gives its id, which is its progress token as well.
    pub(super) async fn request(
        &mut self,
        method: &str,
        mut params: Map<String, Value>,
        settings: &Settings,
        limit: &Limit,
    ) -> Result<Value, Overdue> {
        self.last_id += 1;
        let id = json!(self.last_id);
        let mut meta = match method {
            _ if settings.revision.is_modern() => Some(modern_meta(settings, &id)),
            "tools/call" => Some(json!({ "progressToken": id })),
            _ => None,
        };
        if let (Some(Value::Object(meta)), Some(Value::Object(more))) = (&mut meta, params.remove("_meta")) {
            meta.extend(more);
        }
        params.extend(meta.map(|meta| ("_meta".to_owned(), meta)));
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }), limit).await?;
        Ok(id)
    }

    /// Goes on with another instance, or a new connection to the same: what is in flight is cut off.
    pub(super) fn turn_to(&mut self, service: &Service, settings: &Settings) {
        self.memory = connected(service, settings);
    }

    pub(super) async fn notify(&mut self, method: &str, limit: &Limit) -> Result<(), Overdue> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method }), limit).await
    }

    /// Answers a request of the server: with `result` or `error`, and its value.
    pub(super) async fn respond(
        &mut self,
        id: &Value,
        (member, value): (&str, Value),
        limit: &Limit,
    ) -> Result<(), Overdue> {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, member: value }), limit).await
    }

    /// The next message of the server; nothing if none comes until then.
    pub(super) async fn receive(&mut self, until: Option<Instant>, limit: &Limit) -> Result<Option<Message>, Overdue> {
        let received = limit.within(until, self.memory.receive()).await?.flatten();
        Ok(received.map(|text| self.take_in(&text)))
    }

    /// The next message of the server, if it is there already. Nobody else has a turn meanwhile.
    pub(super) async fn receive_now(&mut self) -> Option<Message> {
        let received = {
            let mut receiving = pin!(self.memory.receive());
            poll_fn(|cx| match receiving.as_mut().poll(cx) {
                Poll::Ready(received) => Poll::Ready(received),
                Poll::Pending => Poll::Ready(None),
            })
            .await
        };
        received.map(|text| self.take_in(&text))
    }

    fn take_in(&mut self, text: &str) -> Message {
        self.transcript.push_received(text);
        // What is no JSON is a response to nothing, which nobody expects.
        let mut body: Value = serde_json::from_str(text).unwrap_or_default();
        let id = body.get("id").cloned();
        match (id, body["method"].as_str().map(str::to_owned)) {
            (Some(id), Some(_)) => Message::Request { id, body },
            (None, Some(method)) => Message::Notification { method, params: body["params"].take() },
            (id, None) => Message::Response { id: id.unwrap_or_default(), body },
        }
    }

    /// The key of a question that came as a request: its call knows it, the wire does not.
    pub(super) fn key(&self, id: &Value) -> Option<String> {
        self.memory.question_key(&id.to_string())
    }

    async fn send(&mut self, message: &Value, limit: &Limit) -> Result<(), Overdue> {
        let text = message.to_string();
        self.transcript.push_sent(&text);
        limit.within(None, self.memory.send(&text)).await.map(drop)
    }
}

fn connected(service: &Service, settings: &Settings) -> MemoryClient {
    let principal = settings.principal.clone();
    principal.map_or_else(|| service.memory(), |principal| service.memory_as(principal))
}

/// What every request says since 2026-07-28.
fn modern_meta(settings: &Settings, progress_token: &Value) -> Value {
    let mut meta = json!({
        "io.modelcontextprotocol/protocolVersion": settings.revision.as_str(),
        "io.modelcontextprotocol/clientInfo": settings.info,
        "io.modelcontextprotocol/clientCapabilities": settings.capabilities,
    });
    if let Some(level) = settings.log_level {
        meta["io.modelcontextprotocol/logLevel"] = level.as_str().into();
    }
    meta["progressToken"] = progress_token.clone();
    meta
}
