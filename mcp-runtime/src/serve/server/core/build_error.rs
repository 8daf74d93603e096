//! The error of a server that cannot be built.

use std::{borrow::Cow, fmt};

use crate::engine::call::operation::Operation;

/// The error of a server that cannot be built. It lists all problems. If there are several problems, each of them is on
/// a separate line. `{:?}` prints the same text. This is also the text that `unwrap` prints, and that a program prints
/// when its `main` returns the error.
///
/// ```
/// use mcp_runtime::{Server, prelude::*};
///
/// /// Counts.
/// #[mcp_tool]
/// async fn count(start: &u64) -> Text<u64> {
///     Text(start + 1)
/// }
///
/// let error = Server::new("s", "1.0.0").tools(tools![count]).tools(tools![count]).build().unwrap_err();
/// assert_eq!(error.problems().len(), 3);
/// assert!(error.to_string().starts_with("the server cannot be built:\n  - tool `count`: takes `&u64`"));
/// ```
pub struct BuildError {
    /// The kind of thing that cannot be built, such as "server". The error message contains it.
    what: Cow<'static, str>,
    problems: Vec<String>,
}

impl BuildError {
    pub(crate) fn of(what: &'static str, problems: Vec<String>) -> Self {
        Self { what: what.into(), problems }
    }

    /// Creates the error of a change to the list of the items that `operation` calls.
    pub(crate) fn of_change(operation: Operation, problems: Vec<String>) -> Self {
        Self { what: format!("list of {}s", operation.noun()).into(), problems }
    }

    /// Returns the problems, one sentence each.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.problems {
            [problem] => write!(f, "the {} cannot be built: {problem}", self.what),
            problems => write!(f, "the {} cannot be built:\n  - {}", self.what, problems.join("\n  - ")),
        }
    }
}

/// Writes the same text as `Display`, because Rust uses `Debug` to print the error that `main` returns.
impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for BuildError {}
