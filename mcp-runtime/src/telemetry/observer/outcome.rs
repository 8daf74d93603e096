//! How requests and calls end.

use std::borrow::Cow;

use crate::protocol::{error::RpcError, result::CallToolResult};

/// How a request is answered, or a round of a call ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObservedOutcome {
    Done,
    /// It ends with questions to the client.
    Asked,
    /// It was answered before: with what was kept of that.
    Repeated,
    /// With a result that says `isError`.
    ToolError,
    /// With an error of the protocol, of this code.
    Error(i32),
    Panicked,
    TimedOut,
    Cancelled,
    /// A call that was refused, or cancelled, before anything of it ran.
    NotBegun,
}

impl ObservedOutcome {
    pub(crate) fn of(outcome: &Result<CallToolResult, RpcError>) -> Self {
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

    /// The `error.type` of OpenTelemetry, which is there if and only if the operation fails. Few values, since it labels
    /// measurements as well: the codes are the server's own.
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

    /// Whether the call is over with it.
    #[cfg_attr(not(feature = "metrics"), allow(dead_code))]
    pub(crate) const fn is_last(self) -> bool {
        matches!(self, Self::Done | Self::ToolError | Self::Error(_) | Self::Panicked | Self::TimedOut)
    }
}
