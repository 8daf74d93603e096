//! The other side of a connection: the client, its identity, and where messages to it go.

pub(crate) mod client;
pub(crate) mod http_parts;
pub(crate) mod message_sink;
pub(crate) mod observer;
#[cfg(feature = "remote")]
pub(crate) mod passed_on;
pub(crate) mod principal;

use std::{net::IpAddr, sync::Arc};

use self::{http_parts::HttpParts, message_sink::MessageSink, principal::Principal};

/// The other side of a connection.
pub(crate) struct Peer {
    /// The destination of late replies and notifications.
    pub(crate) sink: Arc<dyn MessageSink>,
    /// The principal of the connection, if known.
    pub(crate) principal: Option<Principal>,
    /// The owner whose quotas the peer's calls count against. `None` for a peer without quotas.
    pub(crate) owner: Option<Owner>,
    /// The parts of the HTTP request except its body.
    pub(crate) http_parts: HttpParts,
    /// Whether the peer is on the network. A remote peer without a principal has no scopes.
    pub(crate) remote: bool,
    /// Whether the peer gets only the answer to its request, and nothing before it.
    pub(crate) only_answer: bool,
    /// Whether the server keeps no session for the peer, although the peer's revision has sessions.
    pub(crate) sessionless: bool,
}

/// The owner whose quotas a call counts against: its principal or, without a principal, the IP address of its client.
/// The client on standard input has no quota, because it is the only client.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    Principal(Arc<str>),
    Address(IpAddr),
}

impl Peer {
    pub(crate) fn new(sink: Arc<dyn MessageSink>, principal: Option<Principal>) -> Self {
        Self {
            sink,
            owner: principal.as_ref().map(|principal| Owner::Principal(principal.shared_name())),
            principal,
            http_parts: HttpParts::default(),
            remote: false,
            only_answer: false,
            sessionless: false,
        }
    }

    /// If the server cannot send questions to the peer while it answers a request before 2026-07-28, returns the reason.
    pub(crate) fn unable_to_ask(&self) -> Option<&'static str> {
        if self.sessionless {
            Some("this server has no sessions, so it asks only clients of revision 2026-07-28 or later")
        } else if self.only_answer {
            Some("questions need an event stream, and this request is answered with JSON only")
        } else {
            None
        }
    }

    /// Creates the peer for a client outside of this process. Without a principal the peer has no scopes.
    pub(crate) fn remote(sink: Arc<dyn MessageSink>, principal: Option<Principal>) -> Self {
        Self { remote: true, ..Self::new(sink, principal) }
    }

    /// Returns the headers of the HTTP request. Returns `None` on other transports.
    #[cfg(feature = "http")]
    pub(crate) fn headers(&self) -> Option<&http::HeaderMap> {
        self.http_parts.get().map(|parts| &parts.headers)
    }
}
