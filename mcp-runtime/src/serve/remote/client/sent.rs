//! What came of a request, as the record of the outer call keeps it.

use serde::{Deserialize, Serialize};
use serde_json::{
    from_str,
    value::{RawValue, to_raw_value},
};

use super::{Remote, RemoteError, request::RequestOutcome, task::RemoteTask};
use crate::{
    base::error::{Result, ToolError},
    engine::call::once::Recorded,
    serve::client::{ProtocolError, Question},
    wire::protocol::result::{CallToolResult, read_call_result},
};

/// The longest `requestState` of another server, in bytes. The outer call carries it in its own state.
pub(super) const LARGEST_STATE: usize = 64 * 1024;

/// A result up to this length is recorded, even if the request could be sent again.
const SHORT_RESULT: usize = 4 * 1024;

/// What came of a request.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum SentRecord {
    Result(Box<RawValue>),
    Asks {
        questions: Vec<Question>,
        state: Option<String>,
    },
    /// A session asks. The request is open as long as its connection.
    Session,
    /// The server goes on with the call in this task.
    Task(RemoteTask),
    /// The result is not recorded, because it is long, and the request may be sent again or the server keeps the result.
    Again,
    /// The server has answered with an error of the protocol.
    Refused(ProtocolError),
    Failed(String),
    /// The call was cancelled, and so was the request.
    Cancelled,
}

impl SentRecord {
    pub(super) fn of(outcome: Result<RequestOutcome, RemoteError>) -> Self {
        match outcome {
            Ok(RequestOutcome::Result(result)) => Self::Result(result),
            Ok(RequestOutcome::Asks(questions, state)) => Self::Asks { questions, state },
            Ok(RequestOutcome::Asking(_)) => Self::Session,
            Ok(RequestOutcome::Task(task)) => Self::Task(task),
            Err(RemoteError::Refused { error, .. }) => Self::Refused(*error),
            Err(error) => Self::Failed(error.to_string()),
        }
    }

    /// The end of a call whose connection is gone.
    pub(super) fn lost(remote: &Remote) -> Self {
        Self::Failed(format!(
            "the call at the server `{}` has ended, and is not sent again, because it may have had effects: this server \
             keeps a call only as long as its connection, which is gone since this process was restarted, or the answer \
             came too late or to another instance",
            remote.name()
        ))
    }

    /// Returns the result of the call of a tool.
    pub(super) fn into_result(self, remote: &Remote) -> Result<CallToolResult> {
        let method = "tools/call";
        Ok(remote.read_result(method, &self.into_json(remote, method)?, read_call_result)?)
    }

    /// Returns the result of a request.
    pub(super) fn into_json(self, remote: &Remote, method: &str) -> Result<Box<RawValue>> {
        match self {
            Self::Result(result) => Ok(result),
            Self::Refused(error) => {
                let (server, method) = (remote.name().to_owned(), method.to_owned());
                Err(RemoteError::Refused { server, method, error: Box::new(error) }.into())
            }
            Self::Failed(reason) => Err(ToolError::from(reason)),
            Self::Cancelled => Err(ToolError::from(format!(
                "the call at the server `{}` was cancelled, and may have had effects",
                remote.name()
            ))),
            Self::Asks { .. } | Self::Session | Self::Task(_) | Self::Again => {
                unreachable!("the caller goes on with these")
            }
        }
    }
}

impl Recorded<SentRecord> {
    pub(super) const SENT: Self = Self { write, read };

    /// For a request that can be sent again: a long result is not recorded, and neither is a cancellation.
    pub(super) const SENT_AGAIN: Self = Self { write: write_less, read };

    /// For the news of a task: a long result is not recorded, because the server still has it.
    pub(super) const FOLLOWED: Self = Self { write: write_short, read };
}

fn write(sent: &Result<SentRecord>) -> serde_json::Result<Box<RawValue>> {
    match sent {
        Ok(sent) => to_raw_value(sent),
        Err(error) => to_raw_value(&SentRecord::Failed(error.to_string())),
    }
}

fn write_less(sent: &Result<SentRecord>) -> serde_json::Result<Box<RawValue>> {
    match sent {
        // A step whose outcome cannot be written has none, and runs again.
        Ok(SentRecord::Cancelled) => Err(serde::ser::Error::custom("the call was cancelled")),
        sent => write_short(sent),
    }
}

fn write_short(sent: &Result<SentRecord>) -> serde_json::Result<Box<RawValue>> {
    match sent {
        Ok(SentRecord::Result(result)) if result.get().len() > SHORT_RESULT => to_raw_value(&SentRecord::Again),
        sent => write(sent),
    }
}

fn read(text: &str) -> serde_json::Result<Result<SentRecord>> {
    from_str(text).map(Ok)
}
