//! Why a message was not sent or did not arrive. The caller must know whether the server can have got the message.

use thiserror::Error;

/// Why a message was not sent, or has no response.
#[derive(Clone, Debug, Error, PartialEq)]
pub(crate) enum TransferError {
    /// The server has not got the message, so it can be sent again.
    #[error("{0}")]
    Unreachable(String),
    /// The connection ended after a part of the message was sent. The server may have got it.
    #[error("{0}")]
    Broken(String),
    /// The settings of the client are wrong. Nothing was sent.
    #[error("{0}")]
    Settings(String),
    /// The server has not run the request, because it is not authorized.
    #[error("not authorized: {0}")]
    Unauthorized(String),
    /// The server has refused the message.
    #[error("the server has answered with HTTP {answer}")]
    Refused {
        status: u16,
        /// The status, its name, and the beginning of the body.
        answer: String,
    },
    /// The server has sent a message above the limit of this client, which has not kept it.
    #[error("the server has sent a message of more than {limit} bytes; raise the limit of the client, or ask for less")]
    TooLong { limit: usize },
}

/// Why no message arrived.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{error}")]
pub(crate) struct ReceiveError {
    /// The request that has failed. `None` if no further message can arrive.
    pub(crate) request: Option<u64>,
    pub(crate) error: TransferError,
}

impl From<TransferError> for ReceiveError {
    /// Returns the error of a whole connection.
    fn from(error: TransferError) -> Self {
        Self { request: None, error }
    }
}

impl From<TransferError> for String {
    fn from(error: TransferError) -> Self {
        error.to_string()
    }
}

impl From<ReceiveError> for String {
    fn from(error: ReceiveError) -> Self {
        error.to_string()
    }
}
