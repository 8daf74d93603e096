//! A message of the log.

use std::{borrow::Cow, sync::Arc};

use serde::{Deserialize, de::IgnoredAny};
use serde_json::value::RawValue;

use crate::{
    edge::dev::{
        session::api::message::{Direction, MessageSummary, WireMessage},
        target::{ServerInstance, TransportKind},
    },
    wire::protocol::text::beginning,
};

/// A longer text is not kept.
const LONGEST_TEXT: usize = 1024 * 1024;

/// The number of bytes of a message that a list shows.
const PREVIEW: usize = 200;

/// What a message takes in addition to its texts.
const OVERHEAD: usize = 200;

/// A message that was sent or received just now.
pub(crate) struct NewMessage<'a> {
    pub(crate) direction: Direction,
    pub(crate) transport: TransportKind,
    pub(crate) instance: ServerInstance,
    pub(crate) text: &'a str,
    /// `error` or `stderr`, if the text is not a message of the protocol.
    pub(crate) kind: Option<&'static str>,
    pub(crate) call: Option<Arc<str>>,
    pub(crate) round: Option<u32>,
}

/// A message, without its number.
pub(super) struct LogEntry {
    at: u64,
    pub(super) direction: Direction,
    transport: TransportKind,
    instance: ServerInstance,
    pub(super) kind: Cow<'static, str>,
    request: Option<Box<str>>,
    pub(super) call: Option<Arc<str>>,
    round: Option<u32>,
    host: Option<Arc<str>>,
    length: usize,
    /// The whole text, or the beginning of a text that is too long to keep.
    pub(super) text: Box<str>,
    is_whole: bool,
    pub(super) status: Option<u16>,
    pub(super) headers: Box<[(String, String)]>,
    pub(super) url: Option<Box<str>>,
}

/// The members that all messages have.
#[derive(Deserialize)]
struct MessageMembers<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    error: Option<IgnoredAny>,
}

impl LogEntry {
    pub(super) fn new(message: NewMessage<'_>) -> Self {
        let NewMessage { direction, transport, instance, text, kind, call, round } = message;
        let (kind, request) = match kind {
            Some(kind) => (kind.into(), None),
            None => match serde_json::from_str(text) {
                Ok(MessageMembers { id, method, error }) => {
                    let kind = match (method, error) {
                        (Some(method), _) => method.into_owned().into(),
                        (None, Some(_)) => "error".into(),
                        (None, None) => "result".into(),
                    };
                    (kind, id.map(|id| id.get().into()))
                }
                Err(_) => ("error".into(), None),
            },
        };
        let is_whole = text.len() <= LONGEST_TEXT;
        Self {
            at: crate::base::clock::now(),
            direction,
            transport,
            instance,
            kind,
            request,
            call,
            round,
            host: None,
            length: text.len(),
            text: if is_whole { text.into() } else { beginning(text, PREVIEW).into() },
            is_whole,
            status: None,
            headers: Box::default(),
            url: None,
        }
    }

    /// Makes the entry a message between this host and the server.
    pub(super) fn of_host(mut self, host: &Arc<str>) -> Self {
        self.host = Some(Arc::clone(host));
        self
    }

    pub(super) fn restored(message: WireMessage) -> Self {
        let WireMessage { summary, text, headers, url } = message;
        let MessageSummary {
            n: _, at, direction, transport, instance, kind, request, call, round, host, length, ..
        } = summary;
        Self {
            at,
            direction,
            transport,
            instance,
            kind: kind.into(),
            request: request.map(Into::into),
            call: call.map(Into::into),
            round,
            host: host.map(Into::into),
            length,
            is_whole: text.is_some(),
            text: text.unwrap_or(summary.preview).into(),
            status: summary.status,
            headers: headers.unwrap_or_default().into(),
            url: url.map(Into::into),
        }
    }

    /// Returns about how many bytes the message takes.
    pub(super) fn bytes(&self) -> usize {
        let headers: usize = self.headers.iter().map(|(name, value)| name.len() + value.len() + 48).sum();
        OVERHEAD + self.text.len() + headers + self.url.as_deref().map_or(0, str::len)
    }

    pub(super) fn summary(&self, n: u64) -> MessageSummary {
        MessageSummary {
            n,
            at: self.at,
            direction: self.direction,
            transport: self.transport,
            instance: self.instance,
            kind: self.kind.to_string(),
            request: self.request.as_deref().map(str::to_owned),
            call: self.call.as_deref().map(str::to_owned),
            round: self.round,
            host: self.host.as_deref().map(str::to_owned),
            length: self.length,
            preview: beginning(&self.text, PREVIEW).to_owned(),
            status: self.status,
        }
    }

    pub(super) fn whole(&self, n: u64) -> WireMessage {
        WireMessage {
            summary: self.summary(n),
            text: self.is_whole.then(|| self.text.to_string()),
            headers: (!self.headers.is_empty()).then(|| self.headers.to_vec()),
            url: self.url.as_deref().map(str::to_owned),
        }
    }
}
