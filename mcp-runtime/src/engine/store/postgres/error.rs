//! The errors of the database, with advice for the operator.

use std::time::Duration;

use tokio_postgres::{Error, error::SqlState};

use crate::engine::{call::lease::LedgerError, runs::RunStoreError};

/// How long an operation may take.
pub(super) const WITHIN: Duration = Duration::from_secs(5);

/// The reason why a [`PostgresStore`](crate::store::PostgresStore) cannot be opened or used. The text of the error names the
/// server and the database, says what to do, and does not contain the password.
#[derive(Debug, thiserror::Error)]
#[error("{place}{problem}")]
pub struct PostgresStoreError {
    /// Empty, or names the server and the database.
    place: String,
    problem: PostgresProblem,
}

/// The reason why an operation failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum PostgresProblem {
    /// The error of the parser can contain the URL, and with it the password.
    #[error("the URL of PostgreSQL is not valid; write `postgres://user:password@host/database`")]
    Url,
    #[error("{}", explained(.0))]
    Database(Error),
    #[error("no answer within {} s; check that the database runs and can be reached", WITHIN.as_secs())]
    Late,
    #[error(
        "the tables of the store do not exist or are those of an earlier version, and cannot be created: {}; a user who \
         may create tables can run the command `store migrate` of the program, or the script of \
         `PostgresStore::migration`",
        explained(.0)
    )]
    Migration(Error),
    #[error("the tables of the store belong to a newer version of the program; run that version")]
    Newer,
    /// The database answered with a row that this version does not know.
    #[error("{0}")]
    Row(&'static str),
    #[error("the database was replaced during the operation")]
    Moved,
}

impl PostgresStoreError {
    pub(super) fn new(place: &str, problem: PostgresProblem) -> Self {
        let place = if place.is_empty() { String::new() } else { format!("PostgreSQL at {place}: ") };
        Self { place, problem }
    }

    /// Whether another try can succeed although nobody changes a setting.
    pub(in crate::engine::store) fn is_unreachable(&self) -> bool {
        match &self.problem {
            PostgresProblem::Late => true,
            PostgresProblem::Database(error) => error.code().is_none() || is_shutdown(error),
            _ => false,
        }
    }

    /// See [`PostgresProblem::is_undone`].
    pub(super) fn is_undone(&self) -> bool {
        self.problem.is_undone()
    }

    /// Returns whether the operation failed because its connection was lost.
    pub(super) fn is_closed(&self) -> bool {
        matches!(&self.problem, PostgresProblem::Database(error) if error.is_closed() || is_shutdown(error))
    }
}

impl PostgresProblem {
    /// Returns whether the server has undone the operation because it and another one waited for each other.
    pub(super) fn is_undone(&self) -> bool {
        let (Self::Database(error) | Self::Migration(error)) = self else { return false };
        error
            .code()
            .is_some_and(|code| [SqlState::T_R_DEADLOCK_DETECTED, SqlState::T_R_SERIALIZATION_FAILURE].contains(code))
    }
}

impl From<Error> for PostgresProblem {
    fn from(error: Error) -> Self {
        Self::Database(error)
    }
}

impl From<PostgresStoreError> for RunStoreError {
    fn from(error: PostgresStoreError) -> Self {
        Self::new(error)
    }
}

impl From<PostgresStoreError> for LedgerError {
    fn from(error: PostgresStoreError) -> Self {
        match &error.problem {
            PostgresProblem::Database(cause) if cause.code() == Some(&SqlState::DISK_FULL) => {
                Self::OutOfSpace(error.into())
            }
            _ => Self::failed(error),
        }
    }
}

fn explained(error: &Error) -> String {
    let advice = match error.code() {
        Some(code) if *code == SqlState::INSUFFICIENT_PRIVILEGE => {
            "; grant the user the rights that the script of `PostgresStore::migration` names"
        }
        Some(code) if *code == SqlState::INVALID_PASSWORD || *code == SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
            "; check the user and the password in the URL"
        }
        Some(code) if *code == SqlState::INVALID_CATALOG_NAME => "; create the database first",
        Some(code) if *code == SqlState::DISK_FULL => "; free some space there",
        Some(code) if *code == SqlState::READ_ONLY_SQL_TRANSACTION || is_replica(error) => {
            "; this is a replica: name the primary in the URL, or all hosts and `target_session_attrs=read-write`"
        }
        Some(_) => "",
        None => "; check that the database runs and can be reached",
    };
    // The outer error contains only the kind of the error.
    let source = std::error::Error::source(error).map(|source| format!(": {source}")).unwrap_or_default();
    format!("{error}{source}{advice}")
}

/// Returns whether the server has ended the session, because it stops.
fn is_shutdown(error: &Error) -> bool {
    error.code().is_some_and(|code| [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN].contains(code))
}

/// The position in the log cannot be read during recovery, and a replica is always in recovery.
fn is_replica(error: &Error) -> bool {
    error.as_db_error().is_some_and(|error| {
        *error.code() == SqlState::OBJECT_NOT_IN_PREREQUISITE_STATE && error.message().contains("recovery")
    })
}
