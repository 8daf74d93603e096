//! What everything else of a server uses: its state, its extensions, a request with its reply, and its lists.

pub(super) mod build_error;
pub(crate) mod concurrency;
mod host;
pub(super) mod identity;
pub(super) mod last_client;
pub(crate) mod listed;
pub(crate) mod listing;
pub(crate) mod loading;
pub(crate) mod manifest;
pub(crate) mod page_cache;
pub(crate) mod pending_call;
pub(crate) mod reply_to;
pub(crate) mod service;
pub(super) mod settings;
