//! The errors of requests to a host.

use serde::Serialize;

use crate::engine::call::lease::LedgerError;

/// The reason why a [`PluginHost`](crate::plugin::PluginHost) rejects a call or an answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PluginError {
    /// The host has no tool of this name.
    #[error("there is no tool `{name}`{}", did_you_mean(.nearest.as_deref()))]
    #[non_exhaustive]
    UnknownTool {
        /// The name.
        name: String,
        /// A tool with a similar name.
        nearest: Option<String>,
    },
    /// The owner has as many open calls as one owner may have.
    #[error("you have {0} open calls, the most that one user may have; finish or cancel one of them first")]
    TooManyCalls(usize),
    /// The open calls of the owner have as many bytes as those of one owner may have.
    #[error("your open calls would have more than {0} bytes; finish or cancel one of them first")]
    TooManyBytes(usize),
    /// The arguments do not fit in the timeline of a call.
    #[error("the arguments are too long: the start of the call has {bytes} bytes, and at most {most} are allowed")]
    #[non_exhaustive]
    TooLong {
        /// The size of the first event, which has the arguments.
        bytes: usize,
        /// The limit.
        most: usize,
    },
    /// The call or the owner has too many event streams.
    #[error("{0}, the most that are allowed; close one of them first")]
    TooManyFollowers(String),
    /// The host has as many event streams as it may have.
    #[error("the application has reached its limit of event streams; try again later")]
    FollowersFull,
    /// The host has as many open calls, or as many bytes of them, as it may have.
    #[error("the application has reached its limit of open calls; try again later")]
    Full,
    /// There is no such call, it belongs to another owner, or it ended long ago.
    #[error("the call was not found: its id is wrong, it belongs to another user, or it ended some time ago")]
    UnknownCall,
    /// The question is not open: it was answered, its call has ended, or it was never asked.
    #[error("this question is not open any more: it was answered, or the call has ended")]
    AlreadyAnswered,
    /// The answer does not match the form. The question stays open.
    #[error("the answer does not fit:{}", listed(.0))]
    InvalidAnswer(Vec<AnswerProblem>),
    /// The arguments are not a JSON object.
    #[error("the arguments must be a JSON object")]
    InvalidArguments,
    /// The ledger cannot store the call.
    #[error("the call cannot be stored")]
    Ledger(#[source] LedgerError),
}

/// One reason why an answer does not match its form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AnswerProblem {
    /// The field, or `None` if the answer as a whole is wrong.
    pub field: Option<String>,
    /// What is wrong: the value in the answer, and what is allowed.
    pub message: String,
}

/// Returns the end of a message about an unknown tool.
pub(crate) fn did_you_mean(name: Option<&str>) -> String {
    name.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

fn listed(problems: &[AnswerProblem]) -> String {
    let line = |AnswerProblem { field, message }: &AnswerProblem| match field {
        Some(field) => format!("\n- `{field}`: {message}"),
        None => format!("\n- {message}"),
    };
    problems.iter().map(line).collect()
}
