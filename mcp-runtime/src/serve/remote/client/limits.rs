//! What a request may take, and what its end means.

use std::time::Duration;

use memchr::memmem;
use serde_json::value::RawValue;

use super::{RemoteError, request::RequestOutcome, task::RemoteTask};
use crate::{
    engine::call::operation::Operation,
    serve::{
        client::{InputRequired, ProtocolError},
        remote::transport::TransferError,
    },
};

/// A request for an error message, and its time limit.
#[derive(Clone)]
pub(super) struct RequestLimits {
    pub(super) server: String,
    pub(super) method: &'static str,
    pub(super) within: Duration,
}

impl RequestLimits {
    /// Returns what comes of a request with this result.
    pub(super) fn outcome(&self, result: Box<RawValue>) -> Result<RequestOutcome, RemoteError> {
        let has = |text: &[u8]| memmem::find(result.get().as_bytes(), text).is_some();
        let invalid = |error: serde_json::Error| self.invalid(error.to_string());
        if has(b"input_required")
            && let Some(InputRequired { questions, state }) = InputRequired::read(&*result).map_err(invalid)?
        {
            return Ok(RequestOutcome::Asks(questions, state));
        }
        if self.method == Operation::CallTool.method()
            && has(br#""task""#)
            && let Some(task) = RemoteTask::read(&result).map_err(invalid)?
        {
            return Ok(RequestOutcome::Task(task));
        }
        Ok(RequestOutcome::Result(result))
    }

    pub(super) fn failed(&self, failure: TransferError) -> RemoteError {
        let (server, method) = (self.server.clone(), self.method.to_owned());
        match failure {
            TransferError::Unreachable(reason) => RemoteError::Unreachable { server, reason },
            TransferError::Settings(reason) => RemoteError::Settings { server, reason },
            failure @ TransferError::Unauthorized(_) => {
                RemoteError::Unreachable { server, reason: failure.to_string() }
            }
            // The server has looked at the request and not run it.
            TransferError::Refused { status: 400..500, answer } => {
                RemoteError::Unreachable { server, reason: format!("it has answered with HTTP {answer}") }
            }
            other => RemoteError::Lost { server, method, reason: other.to_string() },
        }
    }

    pub(super) fn timeout(&self) -> RemoteError {
        RemoteError::Timeout { server: self.server.clone(), method: self.method.to_owned(), within: self.within }
    }

    pub(super) fn refused(&self, error: ProtocolError) -> RemoteError {
        RemoteError::Refused { server: self.server.clone(), method: self.method.to_owned(), error: Box::new(error) }
    }

    pub(super) fn invalid(&self, reason: String) -> RemoteError {
        RemoteError::Invalid { server: self.server.clone(), method: self.method.to_owned(), reason }
    }

    pub(super) fn arguments(&self, error: &serde_json::Error) -> RemoteError {
        RemoteError::Arguments { server: self.server.clone(), reason: error.to_string() }
    }
}
