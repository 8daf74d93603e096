//! The refusal of a call, before anything of the method has run.

use std::{borrow::Cow, fmt, time::Duration};

use crate::wire::protocol::error::{MISSING_CAPABILITY, RpcError};

/// The reason why a call was refused before its method ran: the caller may not call the method, or the server is full.
/// A layer of the server can also refuse a call.
#[derive(Clone, Debug)]
pub struct RefusedCall(pub(super) RpcError);

impl RefusedCall {
    /// Returns the HTTP status: 403 if the caller lacks a scope, 429 or 503 if a limit is reached, 501 if the method
    /// needs a client that answers questions, or the status that a layer has chosen.
    pub fn status(&self) -> u16 {
        match self.0.code {
            MISSING_CAPABILITY => 501,
            _ => self.0.status(),
        }
    }

    /// Returns the time after which the caller can try again, if trying again can help.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after()
    }

    /// Returns the scopes that the method needs, if the caller lacks one of them.
    pub fn required_scopes(&self) -> &[Cow<'static, str>] {
        self.0.required_scopes()
    }
}

impl fmt::Display for RefusedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for RefusedCall {}
