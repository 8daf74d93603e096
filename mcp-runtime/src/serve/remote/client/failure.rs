//! Why a message was not answered.

/// Why a message was not answered.
#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum TransferError {
    /// Nothing was sent.
    #[error("{0}")]
    Unreachable(String),
    /// The settings are wrong. Nothing was sent.
    #[error("{0}")]
    Settings(String),
    /// The server may have got the message.
    #[error("{0}")]
    Broken(String),
}
