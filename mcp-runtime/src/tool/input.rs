//! What a tool may take by value, and how it is read from the arguments of a call.

use std::fmt;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::schema::{
    InputSchema,
    object::{self, Unread},
    parameter::{Fill, Input, Parameter, Whole},
};

/// What a tool may take by value: a parameter that comes from the model.
///
/// Implemented for every type that is [`DeserializeOwned`] and [`JsonSchema`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a tool",
    label = "cannot be read from the arguments of `tools/call`",
    note = "by value comes from the model: put `#[derive(serde::Deserialize, schemars::JsonSchema)]` on `{Self}`, or on the type inside it",
    note = "by reference comes from the server: a context (`&Ctx`) or shared state (`&{Self}`, given to `Server::state`)"
)]
pub trait ToolInput: Sized {
    // Named by generated code at the author's type: the one place that needs the bound.
    /// For a parameter.
    #[doc(hidden)]
    const INPUT: Input<Self>;

    /// For `#[params]`.
    #[doc(hidden)]
    const WHOLE: Whole<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> ToolInput for T {
    const INPUT: Input<T> = Input::of();
    const WHOLE: Whole<T> = Whole::OF;
}

/// The arguments object of one call, not yet read: JSON text.
#[derive(Clone, Copy)]
pub struct Arguments<'a> {
    text: &'a str,
    schema: &'a InputSchema,
}

/// Arguments that could not be read: why, and at which place. The server answers with all that is wrong, in words for
/// the model.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ArgumentsError(String);

impl<'a> Arguments<'a> {
    pub(crate) fn new(text: &'a str, schema: &'a InputSchema) -> Self {
        Self { text, schema }
    }

    /// The JSON text; `{}` where the client sent none.
    pub fn as_str(&self) -> &'a str {
        self.text
    }

    /// Reads them into `T`. Where the tool's schema wants an integer, `1.0` and `1e3` are integers.
    ///
    /// # Errors
    /// They do not fit `T`.
    #[inline]
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ArgumentsError> {
        self.schema.read(self.text).map_err(ArgumentsError)
    }

    /// The same with another function than that of the type.
    ///
    /// # Errors
    /// They do not fit `T`.
    #[doc(hidden)]
    #[inline]
    pub fn read_by<T>(&self, read: fn(&str) -> serde_json::Result<T>) -> Result<T, ArgumentsError> {
        let read = |text: &str| read(text).map_err(|error| Unread::Value(0, error));
        self.schema.read_by(self.text, read).map_err(ArgumentsError)
    }

    /// Reads a value for each parameter.
    ///
    /// # Errors
    /// They do not fit.
    #[doc(hidden)]
    pub fn fill(&self, parameters: &[Parameter], slots: &mut [&mut dyn Fill]) -> Result<(), ArgumentsError> {
        self.schema.read_by(self.text, |text| object::read(text, parameters, slots)).map_err(ArgumentsError)
    }
}

impl fmt::Debug for Arguments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Arguments").field(&self.text).finish()
    }
}
