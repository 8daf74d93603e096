//! An open connection to the server.

use std::{collections::VecDeque, future::poll_fn, pin::pin, task::Poll};

use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::{
    call_driver::Subscribed,
    client::ClientSettings,
    limit::RealTimeLimit,
    mode_comparison::Misfit,
    notice::Notice,
    transcript::{Side, Transcript},
    transport::{Target, Transport},
};
use crate::engine::call::Call;

/// The client's end of a connection.
pub(super) struct ClientConnection {
    transport: Box<dyn Transport>,
    pub(super) transcript: Transcript,
    pub(super) opened: bool,
    /// The capabilities that the server has declared in the handshake.
    pub(super) server_capabilities: Value,
    pub(super) subscribed: Option<Subscribed>,
    /// The notices that the test has not read.
    pub(super) notices: VecDeque<Notice>,
    last_id: i64,
}

/// A message from the server.
pub(super) enum Incoming {
    Request { id: Value, body: Value },
    Notification { method: String, params: Value },
    Response { id: Value, body: Value },
}

impl ClientConnection {
    /// # Errors
    /// Fails if the server cannot be reached.
    pub(super) fn new(target: &dyn Target, settings: &ClientSettings) -> Result<Self, Misfit> {
        let transport = target.connect(settings).map_err(Misfit::Server)?;
        Ok(Self {
            transport,
            transcript: Transcript::default(),
            opened: false,
            server_capabilities: Value::Null,
            subscribed: None,
            notices: VecDeque::new(),
            last_id: 0,
        })
    }

    /// Sends a request in the form that the client's revision requires. Returns the id of the request. The progress
    /// token of the request, if any, is the same value.
    pub(super) async fn request(
        &mut self,
        method: &str,
        mut params: Map<String, Value>,
        settings: &ClientSettings,
        limit: &RealTimeLimit,
    ) -> Result<Value, Misfit> {
        self.last_id += 1;
        let id = json!(self.last_id);
        let mut meta = match method {
            _ if settings.revision.is_modern() => Some(modern_meta(settings, Some(&id))),
            "tools/call" | "prompts/get" | "resources/read" => Some(json!({ "progressToken": id })),
            _ => None,
        };
        if let (Some(Value::Object(meta)), Some(Value::Object(more))) = (&mut meta, params.remove("_meta")) {
            meta.extend(more);
        }
        params.extend(meta.map(|meta| ("_meta".to_owned(), meta)));
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }), limit).await?;
        Ok(id)
    }

    /// Connects to another instance, or to the same instance again. Requests in flight lose their connection.
    ///
    /// # Errors
    /// Fails if the server cannot be reached.
    pub(super) fn turn_to(&mut self, target: &dyn Target, settings: &ClientSettings) -> Result<(), Misfit> {
        self.transport = target.connect(settings).map_err(Misfit::Server)?;
        Ok(())
    }

    pub(super) async fn notify(&mut self, method: &str, limit: &RealTimeLimit) -> Result<(), Misfit> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method }), limit).await
    }

    /// Cancels a request, either by a message or by closing the request's stream. Returns whether a message was sent.
    pub(super) async fn cancel(
        &mut self,
        request: &Value,
        settings: &ClientSettings,
        limit: &RealTimeLimit,
    ) -> Result<bool, Misfit> {
        if self.transport.cancel(request) {
            return Ok(false);
        }
        let mut params = json!({ "requestId": request, "reason": "cancelled by the script" });
        if settings.revision.is_modern() {
            params["_meta"] = modern_meta(settings, None);
        }
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }), limit).await?;
        Ok(true)
    }

    /// Returns the calls in flight, if they run in the test's own process.
    pub(super) fn calls(&self) -> Vec<Call> {
        self.transport.calls()
    }

    /// Closes the connection. Kills the process of the server, if it has its own, and returns the last part of what this
    /// process has written to standard error.
    pub(super) async fn kill(mut self) -> Option<String> {
        self.transport.kill().await
    }

    /// Answers a request of the server. `member` is `result` or `error`, and `value` is the value of that member.
    pub(super) async fn respond(
        &mut self,
        id: &Value,
        (member, value): (&str, Value),
        limit: &RealTimeLimit,
    ) -> Result<(), Misfit> {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, member: value }), limit).await
    }

    /// Waits for the next message until the time `until`. Returns `None` if no message arrives by then.
    pub(super) async fn receive(
        &mut self,
        until: Option<Instant>,
        limit: &RealTimeLimit,
    ) -> Result<Option<Incoming>, Misfit> {
        let received = limit.within(until, self.transport.receive()).await?;
        received.map(|received| self.take_in(&received.map_err(Misfit::Server)?)).transpose()
    }

    /// Returns the next message if it has already arrived. Does not yield to other tasks.
    pub(super) async fn receive_now(&mut self) -> Result<Option<Incoming>, Misfit> {
        let received = {
            let mut receiving = pin!(self.transport.receive());
            poll_fn(|cx| match receiving.as_mut().poll(cx) {
                Poll::Ready(received) => Poll::Ready(Some(received)),
                Poll::Pending => Poll::Ready(None),
            })
            .await
        };
        received.map(|received| self.take_in(&received.map_err(Misfit::Server)?)).transpose()
    }

    fn take_in(&mut self, text: &str) -> Result<Incoming, Misfit> {
        self.transcript.push(Side::Server, text);
        let mut body: Value = serde_json::from_str(text).map_err(|_| {
            Misfit::Server(format!(
                "the server sent a line that is not JSON, `{}`; write only messages to standard output",
                text.chars().take(80).collect::<String>()
            ))
        })?;
        let id = body.get("id").cloned();
        Ok(match (id, body["method"].as_str().map(str::to_owned)) {
            (Some(id), Some(_)) => Incoming::Request { id, body },
            (None, Some(method)) => Incoming::Notification { method, params: body["params"].take() },
            (id, None) => Incoming::Response { id: id.unwrap_or_default(), body },
        })
    }

    /// Asks the server for the key of the question that it sent as the request `id`. The request itself contains no
    /// key.
    pub(super) fn key(&self, id: &Value) -> Option<String> {
        self.transport.question_key(&id.to_string())
    }

    async fn send(&mut self, message: &Value, limit: &RealTimeLimit) -> Result<(), Misfit> {
        let text = message.to_string();
        self.transcript.push(Side::Client, &text);
        let sent = limit.within(None, self.transport.send(message, &text)).await?;
        sent.unwrap_or(Ok(())).map_err(Misfit::Server)
    }
}

/// Returns the `_meta` of a request since 2026-07-28.
fn modern_meta(settings: &ClientSettings, progress_token: Option<&Value>) -> Value {
    let mut meta = json!({
        "io.modelcontextprotocol/protocolVersion": settings.revision.as_str(),
        "io.modelcontextprotocol/clientInfo": settings.info,
        "io.modelcontextprotocol/clientCapabilities": settings.capabilities,
    });
    if let Some(level) = settings.log_level {
        meta["io.modelcontextprotocol/logLevel"] = level.as_str().into();
    }
    if let Some(token) = progress_token {
        meta["progressToken"] = token.clone();
    }
    meta
}
