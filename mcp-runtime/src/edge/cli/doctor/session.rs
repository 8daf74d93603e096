//! A client that sends one request after another, as a host does.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use crate::{
    serve::{
        client::{ClientProfile, ListPages, ServerMessage, answer_to_request, response},
        remote::transport::Transport,
    },
    wire::protocol::{json::object, revision::Revision},
};

/// A request that is not answered within this time counts as unanswered.
const LIMIT: Duration = Duration::from_secs(30);

pub(crate) struct HostSession {
    transport: Box<dyn Transport>,
    profile: ClientProfile,
    last_id: u64,
}

impl HostSession {
    /// Creates a client with every capability that a host can have, so that the server lists everything to it.
    pub(crate) fn new(transport: Box<dyn Transport>, revision: Revision) -> Self {
        let capabilities = json!({
            "elicitation": { "form": {}, "url": {} }, "sampling": { "tools": {} }, "roots": { "listChanged": false },
        });
        let profile = ClientProfile { revision, ..ClientProfile::newest("doctor", capabilities, None) };
        Self { transport, profile, last_id: 0 }
    }

    /// Begins as a client of 2026-07-28. Returns the capabilities of the server.
    pub(crate) async fn discover(&mut self) -> Result<Value, String> {
        Ok(self.request("server/discover", json!({})).await?["capabilities"].take())
    }

    /// Begins a session of an earlier revision. Returns the capabilities of the server.
    pub(crate) async fn initialize(&mut self, revision: Revision) -> Result<Value, String> {
        self.profile.revision = revision;
        let mut result = self.request("initialize", self.profile.handshake()).await?;
        if result["protocolVersion"] != revision.as_str() {
            return Err(format!("the server answered `initialize` with the revision {}", result["protocolVersion"]));
        }
        let message = serde_json::to_string(&ClientProfile::initialized()).unwrap_or_default();
        self.transport.send(&message).await?;
        Ok(result["capabilities"].take())
    }

    /// Returns all items of a list, from all pages. `member` is the member of a page that contains the items.
    pub(crate) async fn list(&mut self, method: &'static str, member: &'static str) -> Result<Vec<Value>, String> {
        let mut pages = ListPages::new(method, member);
        loop {
            let cursor = pages.cursor.take();
            let members = if cursor.is_null() { json!({}) } else { object([("cursor", cursor)]) };
            if let Some(items) = pages.add(self.request(method, members).await?)? {
                return Ok(items);
            }
        }
    }

    /// Sends a request, and waits for its result. The client answers no question of the server.
    pub(crate) async fn request(&mut self, method: &str, members: Value) -> Result<Value, String> {
        self.last_id += 1;
        let id = self.last_id;
        let message = serde_json::to_string(&self.profile.request(id, method, members)).unwrap_or_default();
        let until = Instant::now() + LIMIT;
        let unanswered = |_| format!("`{method}` was not answered within {} s", LIMIT.as_secs());
        timeout_at(until, self.transport.send(&message)).await.map_err(unanswered)??;
        loop {
            let text = timeout_at(until, self.transport.receive()).await.map_err(unanswered)??.text;
            let message = ServerMessage::read(text.as_bytes()).map_err(|error| {
                let begin: String = text.chars().take(80).collect();
                format!("the server wrote `{begin}`, which is not a message of the protocol: {error}")
            })?;
            match message {
                ServerMessage::Response { id: answered, reply } if answered == id => {
                    let result = reply.map_err(|error| format!("`{method}` failed: {}", error.message))?;
                    return serde_json::from_str(result.get()).map_err(|error| format!("`{method}`: {error}"));
                }
                ServerMessage::Request { id, method, .. } => {
                    self.transport.send(&response(&id, answer_to_request(&method)).to_string()).await?;
                }
                ServerMessage::Response { .. } | ServerMessage::Notification(_) => {}
            }
        }
    }

    /// Ends the connection. Returns what the process of the server has written to standard error.
    pub(crate) async fn end(mut self) -> Option<String> {
        self.transport.kill().await
    }
}
