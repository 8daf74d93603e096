//! The error of a tool.

use std::{
    error::Error,
    fmt::{self, Debug, Display},
};

/// The default error type of tools. `?` converts every error, `String` and `&str` into it.
///
/// Like `anyhow::Error` it implements [`Display`] and keeps its source, but is not itself a [`std::error::Error`]. It
/// becomes a result with `isError`, which the model reads. By default, the result contains the text of the error and of
/// its sources. [`Server::error_sources`](crate::Server::error_sources) and
/// [`Server::error_mapper`](crate::Server::error_mapper) change this.
///
/// ```
/// use mcp_runtime::{Result, ToolError};
///
/// fn parse(port: &str) -> Result<u16> {
///     if port.is_empty() {
///         return Err("the port is empty".into());
///     }
///     Ok(port.parse()?)
/// }
///
/// assert_eq!(parse("x").unwrap_err().to_string(), "invalid digit found in string");
/// ```
pub struct ToolError(Box<dyn Error + Send + Sync>);

/// A [`std::result::Result`] whose error type is [`ToolError`] by default.
pub type Result<T, E = ToolError> = std::result::Result<T, E>;

impl ToolError {
    /// Returns the error that was converted to this `ToolError`, if its type is `E`.
    pub fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }

    /// Returns the error that was converted to this `ToolError`.
    pub fn as_error(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.0
    }

    /// Returns the text of the error and of its sources, separated by `: `. A source is left out if the text before it
    /// already ends with the source's text.
    pub fn chain(&self) -> String {
        chain(&*self.0)
    }
}

/// Returns the text of an error and of its sources; see [`ToolError::chain`].
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let next = error.to_string();
        if !text.ends_with(&next) {
            text.push_str(": ");
            text.push_str(&next);
        }
        source = error.source();
    }
    text
}

impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

impl Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.0, f)
    }
}

/// An error that a tool can return: every type that `?` converts into a [`ToolError`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be converted to a `ToolError`",
    label = "not an error",
    note = "implement `std::error::Error` for it (`#[derive(thiserror::Error)]` does), or return `Result<_, ToolError>`",
    note = "a boxed error must be `Box<dyn Error + Send + Sync>`, because it is sent between threads"
)]
pub trait IntoToolError {
    /// Converts the error into a [`ToolError`].
    fn into_tool_error(self) -> ToolError;
}

#[diagnostic::do_not_recommend]
impl<E: Into<ToolError>> IntoToolError for E {
    fn into_tool_error(self) -> ToolError {
        self.into()
    }
}

/// The error for a [`Json`](crate::Json) value that could not be serialized. The fault is in the server, not in the
/// call.
#[derive(Debug, thiserror::Error)]
#[error("the result could not be serialized: {0}")]
pub(crate) struct UnserializableOutput(#[source] pub(crate) serde_json::Error);
