//! The messages between hosts and the server, in the same log as those of the page.

use std::{
    borrow::Cow,
    collections::VecDeque,
    sync::{Arc, LazyLock},
};

use http::{HeaderMap, HeaderValue, StatusCode, header::CONTENT_TYPE};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use super::{
    DevSession,
    api::message::Direction,
    client::listed,
    log::{NewMessage, SharedLog},
};
use crate::{
    base::mutex::Mutex,
    edge::dev::target::{ServerInstance, TransportKind},
    serve::remote::transport::http::events::EventReader,
    wire::protocol::text::cut,
};

/// How many bytes of a message in a reply are copied. The log keeps less, but reads its kind.
const MOST_COPIED: usize = 16 * 1024 * 1024;

/// How many sessions have a known client, and the longest name of a client, in characters.
const MOST_SESSIONS: usize = 100;
const LONGEST_NAME: usize = 40;

const SESSION: &str = "mcp-session-id";

/// A host that does not say its name.
static A_HOST: LazyLock<Arc<str>> = LazyLock::new(|| "a host".into());

/// Logs the messages of hosts. They belong to no call of the page.
pub(crate) struct HostMessages {
    log: SharedLog,
    /// The names of the clients of sessions, which only the first request of a session has. The latest one is the last.
    names: Mutex<VecDeque<(HeaderValue, Arc<str>)>>,
}

/// The messages of one request over HTTP.
pub(crate) struct HostRequest {
    shared: Arc<HostMessages>,
    host: Arc<str>,
    /// The numbers of the messages.
    sent: Vec<u64>,
    /// The id of the JSON-RPC request, or `null`.
    id: Value,
}

/// The messages of the response.
pub(crate) struct HostReply {
    shared: Arc<HostMessages>,
    host: Arc<str>,
    status: StatusCode,
    headers: Vec<(String, String)>,
    body: ReplyBody,
}

enum ReplyBody {
    Events(EventReader),
    /// The beginning of any other body, and whether it is the whole.
    Other(Vec<u8>, bool),
}

/// What is read of a message.
#[derive(Default, Deserialize)]
struct HostMessage<'a> {
    #[serde(default)]
    id: Value,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    params: Option<HostParams>,
}

#[derive(Deserialize)]
struct HostParams {
    #[serde(rename = "clientInfo")]
    info: Option<HostInfo>,
    #[serde(rename = "_meta")]
    meta: Option<HostMeta>,
}

#[derive(Deserialize)]
struct HostMeta {
    #[serde(rename = "io.modelcontextprotocol/clientInfo")]
    info: Option<HostInfo>,
}

#[derive(Deserialize)]
struct HostInfo {
    name: String,
}

impl HostMessages {
    pub(crate) fn new(session: &DevSession) -> Self {
        Self { log: Arc::clone(&session.log), names: Mutex::default() }
    }

    /// Logs the messages in the body of a request.
    pub(crate) fn request(self: &Arc<Self>, headers: &HeaderMap, body: &[u8]) -> HostRequest {
        let text = String::from_utf8_lossy(body);
        let messages = messages_in(&text);
        let read: HostMessage<'_> =
            messages.first().and_then(|message| serde_json::from_str(message).ok()).unwrap_or_default();
        let host = read.client().or_else(|| self.client_of(headers)).unwrap_or_else(|| Arc::clone(&A_HOST));
        let sent = messages.iter().map(|message| self.push(&host, Direction::Sent, message, None)).collect();
        let is_request = messages.len() == 1 && read.method.is_some();
        HostRequest { shared: Arc::clone(self), host, sent, id: if is_request { read.id } else { Value::Null } }
    }

    fn client_of(&self, headers: &HeaderMap) -> Option<Arc<str>> {
        let session = headers.get(SESSION)?;
        let names = self.names.lock();
        names.iter().find(|(known, _)| known == session).map(|(_, name)| Arc::clone(name))
    }

    /// Remembers the client of a session.
    fn remember(&self, session: &HeaderValue, host: &Arc<str>) {
        let mut names = self.names.lock();
        names.retain(|(known, _)| known != session);
        if names.len() == MOST_SESSIONS {
            names.pop_front();
        }
        names.push_back((session.clone(), Arc::clone(host)));
    }

    fn push(&self, host: &Arc<str>, direction: Direction, text: &str, kind: Option<&'static str>) -> u64 {
        let (transport, instance) = (TransportKind::Http, ServerInstance::First);
        let message = NewMessage { direction, transport, instance, text, kind, call: None, round: None };
        self.log.push_of_host(host, message)
    }
}

impl HostRequest {
    /// Returns the id that an error for this request has.
    pub(crate) fn id(&self) -> &Value {
        &self.id
    }

    /// Adds to the messages what HTTP says about them. They are about to leave.
    pub(crate) fn leaves(&self, url: &str, headers: &HeaderMap) {
        for n in &self.sent {
            self.shared.log.set_request(*n, url, listed(headers));
        }
    }

    /// Logs an error that this command has answered itself.
    pub(crate) fn failed(&self, status: StatusCode, headers: &HeaderMap, text: &str) {
        let n = self.shared.push(&self.host, Direction::Received, text, None);
        self.shared.log.set_response(n, status.as_u16(), listed(headers));
    }

    /// Begins with the response.
    pub(crate) fn answered(self, status: StatusCode, headers: &HeaderMap) -> HostReply {
        let Self { shared, host, .. } = self;
        if let Some(session) = headers.get(SESSION) {
            shared.remember(session, &host);
        }
        let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let body = match kind.starts_with("text/event-stream") {
            true => ReplyBody::Events(EventReader::with_limit(MOST_COPIED)),
            false => ReplyBody::Other(Vec::new(), true),
        };
        HostReply { shared, host, status, headers: listed(headers), body }
    }
}

impl HostReply {
    /// Reads the next bytes of the body.
    pub(crate) fn read(&mut self, bytes: &[u8]) {
        match &mut self.body {
            ReplyBody::Events(events) => {
                let read = events.read(bytes);
                read.iter().for_each(|text| self.log(text, None));
            }
            ReplyBody::Other(begin, is_whole) => {
                let left = MOST_COPIED - begin.len();
                *is_whole &= bytes.len() <= left;
                begin.extend_from_slice(&bytes[..left.min(bytes.len())]);
            }
        }
    }

    /// Logs what the end of the body completes.
    pub(crate) fn end(self) {
        let ReplyBody::Other(body, is_whole) = &self.body else { return };
        let text = String::from_utf8_lossy(body);
        match (text.trim(), is_whole) {
            ("", _) if self.status.is_success() => {}
            ("", _) => self.log(&format!("HTTP {}", self.status), Some("error")),
            (text, false) => self.log(text, Some("result")),
            (text, true) => messages_in(text).iter().for_each(|message| self.log(message, None)),
        }
    }

    /// Logs that the process has closed the connection.
    pub(crate) fn broke_off(self, why: &str) {
        self.log(&format!("the response broke off: {why}"), Some("error"));
    }

    fn log(&self, text: &str, kind: Option<&'static str>) {
        let n = self.shared.push(&self.host, Direction::Received, text, kind);
        self.shared.log.set_response(n, self.status.as_u16(), self.headers.clone());
    }
}

impl HostMessage<'_> {
    /// Returns the name of the client, if the message has it, as it can be shown in one line.
    fn client(&self) -> Option<Arc<str>> {
        let params = self.params.as_ref()?;
        let info = params.info.as_ref().or(params.meta.as_ref().and_then(|meta| meta.info.as_ref()))?;
        let name: String = info.name.chars().filter(|char| !char.is_control()).collect();
        Some(cut(name.trim(), LONGEST_NAME).into()).filter(|name: &Arc<str>| !name.is_empty())
    }
}

/// Returns the messages of a body: one, or those of a batch.
fn messages_in(text: &str) -> Vec<&str> {
    let text = text.trim();
    let batch = text.starts_with('[').then(|| serde_json::from_str::<Vec<&RawValue>>(text).ok()).flatten();
    match batch {
        Some(batch) => batch.into_iter().map(RawValue::get).collect(),
        None if text.is_empty() => Vec::new(),
        None => vec![text],
    }
}
