//! The outcomes of requests and calls.

use std::borrow::Cow;

use crate::wire::protocol::{error::RpcError, result::CallToolResult};

/// The outcome of a request, or of a round of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObservedOutcome {
    Done,
    /// The round ended with questions to the client.
    Asked,
    /// The request repeated an earlier one and got the recorded reply.
    Repeated,
    /// The call ended with a result that has `isError`.
    ToolError,
    /// The request or the call ended with a protocol error that has this code.
    Error(i32),
    Panicked,
    TimedOut,
    Cancelled,
    /// The call was rejected or cancelled before any of its code ran.
    NotBegun,
}

impl ObservedOutcome {
    pub(crate) fn of(outcome: Result<&CallToolResult, &RpcError>) -> Self {
        match outcome {
            Ok(result) if result.is_error => Self::ToolError,
            Ok(_) => Self::Done,
            Err(error) => Self::Error(error.code),
        }
    }

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Asked => "asked",
            Self::Repeated => "repeated",
            Self::ToolError => "tool_error",
            Self::Error(_) => "error",
            Self::Panicked => "panicked",
            Self::TimedOut => "timed_out",
            Self::Cancelled => "cancelled",
            Self::NotBegun => "not_begun",
        }
    }

    /// Returns OpenTelemetry's `error.type`, or `None` if the operation did not fail. The value is also a label of
    /// measurements. The server chooses all error codes, so there are only a few different values.
    pub(crate) fn error_type(self) -> Option<Cow<'static, str>> {
        match self {
            Self::Done | Self::Asked | Self::Repeated => None,
            Self::Error(code) => Some(code.to_string().into()),
            Self::ToolError => Some("tool_error".into()),
            Self::Panicked => Some("panic".into()),
            Self::TimedOut => Some("timeout".into()),
            Self::Cancelled => Some("cancelled".into()),
            Self::NotBegun => Some("not_begun".into()),
        }
    }

    /// Returns whether this outcome ends the whole call and not only a round. A cancelled call can be resumed, unless it
    /// is in a session.
    pub(crate) const fn is_last(self, is_in_session: bool) -> bool {
        match self {
            Self::Done | Self::ToolError | Self::Error(_) | Self::Panicked | Self::TimedOut => true,
            Self::Cancelled => is_in_session,
            Self::Asked | Self::Repeated | Self::NotBegun => false,
        }
    }
}
