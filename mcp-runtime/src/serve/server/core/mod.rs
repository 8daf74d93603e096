//! What everything else of a server uses: its state, its extension point, and a request with its reply.

pub(super) mod build_error;
pub(crate) mod concurrency;
pub(crate) mod extension;
mod host;
pub(super) mod identity;
pub(super) mod last_client;
pub(super) mod limits;
pub(crate) mod listing;
pub(super) mod live_registry;
pub(crate) mod pending_call;
pub(super) mod reply_to;
pub(crate) mod request;
pub(super) mod service;
