//! The limits of a server, and its rules for HTTP.

use std::time::Duration;

use crate::{base::error::ToolError, engine::durable::ledger::quota};

pub(crate) type ErrorMapper = Box<dyn Fn(&ToolError) -> (bool, String) + Send + Sync>;

/// The limits that a server sets for its clients.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The maximum size of a message in bytes. If it is `None`, the transport uses its default.
    pub(crate) message_size: Option<usize>,
    pub(crate) concurrent_calls: usize,
    pub(crate) shutdown_grace: Duration,
    /// The limits for the open calls of one owner.
    pub(crate) open_calls: quota::QuotaLimits,
}

/// How the methods of the protocol treat requests over HTTP.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HttpRules {
    /// Whether each reply is JSON, and never an event stream.
    pub(crate) json_replies: bool,
    /// Whether clients before 2026-07-28 get no sessions.
    pub(crate) sessionless: bool,
    /// Whether the revision in the body of a request decides if the header names an older one.
    pub(crate) revision_of_body: bool,
}

impl Limits {
    /// Returns the maximum size of a message on a connection, in bytes.
    pub(crate) fn message_size(&self) -> usize {
        self.message_size.unwrap_or(4 * 1024 * 1024)
    }
}
