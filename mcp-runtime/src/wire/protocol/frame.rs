//! One outgoing message.

use std::sync::Arc;

pub(crate) use super::{error::OK, text::push_json};
use super::{
    error::{ErrorHint, RpcError},
    id::Id,
    level::Level,
    text::push_json_string,
};

/// One message as the bytes of a line, including its line feed. Several messages can share one tail, so that a list
/// of tools is serialized only once and never copied.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) head: Vec<u8>,
    pub(crate) tail: Option<Arc<Vec<u8>>>,
    /// The HTTP status of a response; `None` for a request or a notification.
    pub(crate) status: Option<u16>,
    /// What the client can do about the error of an error response, if this is known.
    pub(crate) hint: Option<Box<ErrorHint>>,
    pub(crate) kind: Kind,
}

/// The kind of a message. Transports treat messages of different kinds differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A response, a request, or a notification that must be delivered.
    Required,
    /// A log message of this level, which the client has enabled.
    Log(Level),
    /// A progress notification.
    Progress,
}

impl Kind {
    /// Returns whether the message can be dropped for a client that reads too slowly.
    pub(crate) fn may_be_dropped(self) -> bool {
        self != Self::Required
    }
}

/// The number of bytes that is enough for most results and errors.
const USUAL: usize = 192;

/// The number of bytes that is enough for what most responses have around their last member.
pub(crate) const ENVELOPE: usize = 64;

impl Frame {
    /// Creates a response. The function `body` writes the `result`.
    pub(crate) fn result(id: &Id<'_>, body: impl FnOnce(&mut Vec<u8>)) -> Self {
        Self::long_result(id, USUAL, body)
    }

    /// Creates a response. The function `body` writes the `result`, which has about `length` bytes.
    pub(crate) fn long_result(id: &Id<'_>, length: usize, body: impl FnOnce(&mut Vec<u8>)) -> Self {
        let mut head = Self::open(id, br#","result":"#, length);
        body(&mut head);
        head.extend_from_slice(b"}\n");
        Self { head, tail: None, status: Some(OK), hint: None, kind: Kind::Required }
    }

    /// Creates a response. `member` is the JSON text of the last member, such as `"result":{}`. The response takes over its
    /// memory, which should have room for [`ENVELOPE`] more bytes.
    pub(crate) fn response(id: &Id<'_>, mut member: Vec<u8>) -> Self {
        let before = [&br#"{"jsonrpc":"2.0","id":"#[..], id.as_json().as_bytes(), b","];
        let (start, end) = (before.iter().map(|part| part.len()).sum::<usize>(), member.len());
        member.resize(start + end, 0);
        member.copy_within(..end, start);
        let mut at = 0;
        for part in before {
            member[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        }
        member.extend_from_slice(b"}\n");
        Self { head: member, tail: None, status: Some(OK), hint: None, kind: Kind::Required }
    }

    /// Creates a response. `result` is the serialized result, followed by the end of the message: `}` and a line feed.
    pub(crate) fn shared(id: &Id<'_>, result: Arc<Vec<u8>>) -> Self {
        let head = Self::open(id, br#","result":"#, 0);
        Self { head, tail: Some(result), status: Some(OK), hint: None, kind: Kind::Required }
    }

    /// Creates an error response. It has no member `id` if the request's id could not be read.
    pub(crate) fn error(id: Option<&Id<'_>>, error: &RpcError) -> Self {
        let mut head = match id {
            Some(id) => Self::open(id, br#","error":"#, USUAL),
            None => br#"{"jsonrpc":"2.0","error":"#.to_vec(),
        };
        error.push(&mut head);
        head.extend_from_slice(b"}\n");
        let (status, hint) = (Some(error.status()), error.hint.clone());
        Self { head, tail: None, status, hint, kind: Kind::Required }
    }

    /// Creates the server's request with this number. `params` is JSON text.
    pub(crate) fn request(number: u64, method: &str, params: &str) -> Self {
        let mut head = Vec::with_capacity(96 + method.len() + params.len());
        head.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        Id::push_server(&mut head, number);
        head.extend_from_slice(br#","method":"#);
        push_json_string(&mut head, method);
        head.extend_from_slice(br#","params":"#);
        head.extend_from_slice(params.as_bytes());
        head.extend_from_slice(b"}\n");
        Self { head, tail: None, status: None, hint: None, kind: Kind::Required }
    }

    /// Creates a notification that must be delivered. The function `body` writes the `params`.
    pub(crate) fn notification(method: &str, body: impl FnOnce(&mut Vec<u8>)) -> Self {
        let mut head = Vec::with_capacity(160);
        head.extend_from_slice(br#"{"jsonrpc":"2.0","method":"#);
        push_json_string(&mut head, method);
        head.extend_from_slice(br#","params":"#);
        body(&mut head);
        head.extend_from_slice(b"}\n");
        Self { head, tail: None, status: None, hint: None, kind: Kind::Required }
    }

    /// Creates a log message. The function `data` writes the member `data`.
    pub(crate) fn log(level: Level, logger: &str, data: impl FnOnce(&mut Vec<u8>)) -> Self {
        let frame = Self::notification("notifications/message", |out| {
            out.extend_from_slice(br#"{"level":""#);
            out.extend_from_slice(level.as_str().as_bytes());
            out.extend_from_slice(br#"","logger":"#);
            push_json_string(out, logger);
            out.extend_from_slice(br#","data":"#);
            data(out);
            out.push(b'}');
        });
        Self { kind: Kind::Log(level), ..frame }
    }

    /// Joins several responses into one array.
    pub(crate) fn batch(parts: &[Self]) -> Self {
        let mut head = Vec::with_capacity(2 + parts.iter().map(Self::len).sum::<usize>());
        head.push(b'[');
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                head.push(b',');
            }
            part.write_to(&mut head);
            // The line feed.
            head.pop();
        }
        head.extend_from_slice(b"]\n");
        Self { head, tail: None, status: Some(OK), hint: None, kind: Kind::Required }
    }

    pub(crate) fn len(&self) -> usize {
        self.head.len() + self.tail.as_ref().map_or(0, |tail| tail.len())
    }

    pub(crate) fn write_to(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.head);
        out.extend_from_slice(self.tail.as_deref().map_or(&[], Vec::as_slice));
    }

    /// Returns the message without its line feed.
    pub(crate) fn into_text(self) -> String {
        let mut text = self.head;
        text.extend_from_slice(self.tail.as_deref().map_or(&[], Vec::as_slice));
        text.pop_if(|last| *last == b'\n');
        // The bytes come from strings only.
        String::from_utf8(text).unwrap_or_default()
    }

    /// Begins a message whose last member has about `length` bytes. `member` is the comma before it, its name, and the
    /// colon.
    fn open(id: &Id<'_>, member: &'static [u8], length: usize) -> Vec<u8> {
        let mut head = Vec::with_capacity(ENVELOPE + id.as_json().len() + length);
        head.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        head.extend_from_slice(id.as_json().as_bytes());
        head.extend_from_slice(member);
        head
    }
}

impl std::fmt::Display for Frame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.head))?;
        f.write_str(&String::from_utf8_lossy(self.tail.as_deref().map_or(&[], Vec::as_slice)))
    }
}
