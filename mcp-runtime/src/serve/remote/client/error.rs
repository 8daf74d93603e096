//! The reasons why another server has no result.

use std::time::Duration;

use crate::{engine::call::nested::MOST_LEVELS, serve::client::ProtocolError};

/// Why a request to another server has no result. Each message names the server.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RemoteError {
    /// The settings of the remote are wrong, such as a URL that cannot be read. Nothing was sent.
    #[error("the server `{server}` is not configured: {reason}")]
    Settings {
        /// The name of the remote.
        server: String,
        /// What is wrong, and what to write.
        reason: String,
    },
    /// The server cannot be reached. Nothing was sent, so the request can be repeated.
    #[error("the server `{server}` cannot be reached: {reason}")]
    Unreachable {
        /// The name of the remote.
        server: String,
        /// What happened.
        reason: String,
    },
    /// The connection ended before the reply. The server may have run the request.
    #[error("the server `{server}` has not answered `{method}`, and may have run it: {reason}")]
    Lost {
        /// The name of the remote.
        server: String,
        /// The method of the request.
        method: String,
        /// What happened.
        reason: String,
    },
    /// Neither a reply nor progress came in time. The server was told to cancel the request, but may have run it.
    #[error("the server `{server}` has neither answered `{method}` nor reported progress within {within:?}")]
    Timeout {
        /// The name of the remote.
        server: String,
        /// The method of the request.
        method: String,
        /// The limit. See [`Remote::timeout`](super::Remote::timeout).
        within: Duration,
    },
    /// The server has answered with an error of the protocol.
    #[error("the server `{server}` refuses `{method}`: {} (code {})", error.message, error.code)]
    Refused {
        /// The name of the remote.
        server: String,
        /// The method of the request.
        method: String,
        /// The error.
        error: Box<ProtocolError>,
    },
    /// The server has gone on with the call in a task, which has no result: it was cancelled there, has expired, or cannot
    /// be followed any more. The server may have run the call.
    #[error("the call at the server `{server}` became a task, which has no result: {reason}")]
    Task {
        /// The name of the remote.
        server: String,
        /// What happened.
        reason: String,
    },
    /// The server has answered with something that is not a result of this method.
    #[error("the server `{server}` has answered `{method}` wrongly: {reason}")]
    Invalid {
        /// The name of the remote.
        server: String,
        /// The method of the request.
        method: String,
        /// What is wrong.
        reason: String,
    },
    /// The server asks, but the call has no client that can answer.
    #[error(
        "the server `{server}` asks `{question}`, but this call has no client that can answer; call it within the call of a \
         tool: `remote.call(…).within(ctx)`"
    )]
    Asked {
        /// The name of the remote.
        server: String,
        /// The method of the question.
        question: String,
    },
    /// Too many requests to this server are open.
    #[error(
        "{limit} requests to the server `{server}` are open, and none has ended within {within:?}; see `Remote::max_requests`"
    )]
    Busy {
        /// The name of the remote.
        server: String,
        /// The largest number of open requests.
        limit: usize,
        /// How long this request has waited.
        within: Duration,
    },
    /// The request has passed through too many servers. They probably call each other.
    #[error(
        "the request to the server `{server}` has passed through {MOST_LEVELS} servers already; does it come back to \
         this server?"
    )]
    Loop {
        /// The name of the remote.
        server: String,
    },
    /// The arguments cannot be written as JSON.
    #[error("the arguments for the server `{server}` cannot be written as JSON: {reason}")]
    Arguments {
        /// The name of the remote.
        server: String,
        /// What is wrong.
        reason: String,
    },
}

impl RemoteError {
    /// Returns whether the server may have run the request, although it has no result.
    pub fn may_have_run(&self) -> bool {
        matches!(self, Self::Lost { .. } | Self::Timeout { .. } | Self::Task { .. } | Self::Invalid { .. })
    }
}
