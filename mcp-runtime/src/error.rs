//! The failure of a tool.

use std::{
    error::Error,
    fmt::{self, Debug, Display},
};

/// The ready-made error of tools: made by `?` from every error, from `String` and from `&str`.
///
/// Like `anyhow::Error` it is [`Display`] and keeps its source, but is not itself [`std::error::Error`].
/// It becomes a result with `isError`, which the model reads; [`Server::error_mapper`](crate::Server::error_mapper)
/// decides what of it.
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

/// A [`std::result::Result`] whose error is a [`ToolError`] unless another is named.
pub type Result<T, E = ToolError> = std::result::Result<T, E>;

/// [`Result`] under the name that the [prelude](crate::prelude) has.
pub type ToolResult<T, E = ToolError> = std::result::Result<T, E>;

impl ToolError {
    /// The error this was made from, if it is an `E`.
    pub fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }

    /// The error this was made from.
    pub fn as_error(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.0
    }

    /// The error's own text and the texts of its sources, `: ` between them. A source whose text its parent
    /// already ends with is left out.
    pub fn chain(&self) -> String {
        chain(&*self.0)
    }
}

/// An error's own text and those of its sources; see [`ToolError::chain`].
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

/// The error of a tool: whatever `?` turns into a [`ToolError`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a tool",
    label = "not an error",
    note = "implement `std::error::Error` for it (`#[derive(thiserror::Error)]` does), or return `Result<_, ToolError>`",
    note = "a boxed error is sent between threads: `Box<dyn Error + Send + Sync>`"
)]
pub trait IntoToolError {
    /// The error, as every tool's error is kept.
    fn into_tool_error(self) -> ToolError;
}

#[diagnostic::do_not_recommend]
impl<E: Into<ToolError>> IntoToolError for E {
    fn into_tool_error(self) -> ToolError {
        self.into()
    }
}

/// The value of a [`Json`](crate::Json) could not be serialized: the server's fault, not the model's.
#[derive(Debug, thiserror::Error)]
#[error("the result could not be serialized: {0}")]
pub(crate) struct UnserializableOutput(#[source] pub(crate) serde_json::Error);
