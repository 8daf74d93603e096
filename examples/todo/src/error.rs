//! The errors of the service.

use mcp_runtime::contract::ErrorStatus;

/// The reason why something was not done.
#[derive(Debug, thiserror::Error)]
pub enum TodoError {
    #[error("there is no todo {0}")]
    NoTodo(i64),
    #[error("there is no user {0}")]
    NoUser(i64),
    #[error("there is no user {0} who could do it")]
    NoAssignee(i64),
    #[error("there is already a user `{0}`")]
    NameTaken(String),
    /// The text is for clients. What failed is printed, for the operator.
    #[error("the todos cannot be read or written now; try again later")]
    Database,
}

impl ErrorStatus for TodoError {
    const STATUSES: &'static [u16] = &[404, 409, 503];

    fn status(&self) -> u16 {
        match self {
            Self::NoTodo(_) | Self::NoUser(_) => 404,
            Self::NoAssignee(_) | Self::NameTaken(_) => 409,
            Self::Database => 503,
        }
    }
}

impl From<rusqlite::Error> for TodoError {
    fn from(error: rusqlite::Error) -> Self {
        eprintln!("the database failed: {error}");
        Self::Database
    }
}
