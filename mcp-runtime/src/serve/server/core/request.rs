//! A request and its context.

use std::sync::Arc;

use super::{reply_to::ReplyTo, service::Inner};
#[cfg(feature = "http")]
use crate::wire::protocol::headers;
use crate::{
    engine::call::request::Peer,
    wire::protocol::{error::RpcError, id::Id, params::Params},
};

/// A request with its sender and the destination of its response.
#[derive(Clone, Copy)]
pub(crate) struct RequestContext<'a> {
    pub(crate) server: &'a Arc<Inner>,
    pub(crate) peer: &'a Peer,
    pub(crate) id: &'a Id<'a>,
    pub(crate) method: &'a str,
    pub(crate) params: &'a Params<'a>,
    pub(crate) reply_to: &'a ReplyTo,
}

impl RequestContext<'_> {
    /// Whether the client can get notices about changes.
    pub(crate) fn can_get_notices(&self) -> bool {
        !self.peer.sessionless && !self.sends_only_answers()
    }

    /// Whether the server sends no event stream in reply to a request, whatever the client accepts. In a session, the
    /// client can still open a stream.
    pub(crate) fn sends_only_answers(&self) -> bool {
        let is_modern = self.params.meta.protocol_version.is_some();
        is_modern && self.peer.only_answer && self.server.http_rules.json_replies
    }

    /// Checks the header that repeats the name of the item. Only requests over HTTP since 2026-07-28 have this header.
    #[cfg_attr(not(feature = "http"), allow(clippy::unnecessary_wraps, reason = "other transports have no headers"))]
    pub(crate) fn check_name(&self, name: &str) -> Result<(), RpcError> {
        #[cfg(feature = "http")]
        if let Some(headers) = self.modern_headers() {
            return headers::check_name(headers, name);
        }
        let _ = name;
        Ok(())
    }

    /// Returns the HTTP headers of a request of revision 2026-07-28 or later. These headers repeat parts of the
    /// message.
    #[cfg(feature = "http")]
    pub(crate) fn modern_headers(&self) -> Option<&http::HeaderMap> {
        self.peer.headers().filter(|_| self.params.meta.protocol_version.is_some())
    }
}
