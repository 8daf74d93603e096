//! What a tool may take by value, and how it is read from the arguments of a call.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

/// What a tool may take by value: a parameter that comes from the model.
///
/// Implemented for every type that is [`DeserializeOwned`] and [`JsonSchema`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a tool",
    label = "cannot be read from the arguments of `tools/call`",
    note = "by value comes from the model: put `#[derive(serde::Deserialize, schemars::JsonSchema)]` on `{Self}`, or on the type inside it",
    note = "by reference comes from the server: a context (`&Ctx`) or shared state (`&{Self}`, given to `Server::state`)"
)]
pub trait ToolInput {
    // No supertraits: a missing one would be an error of its own.
    /// Named by generated code at the author's type: the one place that needs the bound.
    #[doc(hidden)]
    const CHECK: () = ();
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> ToolInput for T {}

/// The arguments object of one call, not yet read: JSON text.
#[derive(Clone, Copy, Debug)]
pub struct Arguments<'a>(pub(crate) &'a str);

/// Arguments that could not be read. The server answers with all that is wrong, in words for the model.
#[derive(Debug, thiserror::Error)]
#[error("the arguments do not fit: {0}")]
pub struct ArgumentsError(#[source] pub(crate) serde_json::Error);

impl<'a> Arguments<'a> {
    /// The JSON text; `{}` where the client sent none.
    pub fn as_str(&self) -> &'a str {
        self.0
    }

    /// Reads them into `T`.
    ///
    /// # Errors
    /// They do not fit `T`.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ArgumentsError> {
        serde_json::from_str(self.0).map_err(ArgumentsError)
    }
}
