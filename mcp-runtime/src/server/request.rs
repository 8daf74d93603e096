//! A request and its context.

use std::sync::Arc;

use super::{Inner, batch::ReplyTo};
use crate::{
    call::request::Peer,
    protocol::{id::Id, params::Params},
};

/// A request with its sender and the destination of its response.
#[derive(Clone, Copy)]
pub(crate) struct RequestContext<'a> {
    pub(crate) server: &'a Arc<Inner>,
    pub(crate) peer: &'a Peer,
    pub(crate) id: &'a Id<'a>,
    pub(crate) method: &'a str,
    pub(crate) params: &'a Params<'a>,
    pub(super) reply_to: &'a ReplyTo,
}

#[cfg(feature = "http")]
impl RequestContext<'_> {
    /// Returns the HTTP headers of a request of revision 2026-07-28 or later. These headers repeat parts of the
    /// message.
    pub(crate) fn modern_headers(&self) -> Option<&http::HeaderMap> {
        self.peer.headers().filter(|_| self.params.meta.protocol_version.is_some())
    }
}
