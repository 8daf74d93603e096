//! Parameters by value: how they are read from the arguments of a call.

use std::fmt;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::wire::schema::{
    InputSchema,
    parameter::{
        Fill, Input, Parameter, Whole,
        object::{self, Unread},
    },
};

/// A type that a tool can take by value: a parameter that comes from the model.
///
/// Implemented for every type that is [`DeserializeOwned`] and [`JsonSchema`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter",
    label = "cannot be read from the arguments of `tools/call`",
    note = "a parameter taken by value is an argument from the model: put `#[derive(serde::Deserialize, schemars::JsonSchema)]` on `{Self}`, or on the type inside it",
    note = "a parameter taken by reference comes from the server: a context (`&Ctx`) or shared state (`&{Self}`, given to `Server::state`)"
)]
pub trait ToolInput: Sized {
    // Generated code requires the bound only by using these constants, so that a type without the bound causes only one
    // error.
    /// Reads one parameter.
    #[doc(hidden)]
    const INPUT: Input<Self>;

    /// Reads all arguments into the parameter with `#[params]`.
    #[doc(hidden)]
    const WHOLE: Whole<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> ToolInput for T {
    const INPUT: Input<T> = Input::of();
    const WHOLE: Whole<T> = Whole::OF;
}

/// The unparsed arguments of one call: JSON text of an object.
#[derive(Clone, Copy)]
pub struct Arguments<'a> {
    text: &'a str,
    schema: &'a InputSchema,
}

/// The reason why arguments could not be read, and the place of the error. When a tool returns this error, the server
/// reports all errors of the arguments to the model.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ArgumentsError(String);

impl ArgumentsError {
    /// Creates an error with this text. Use it if you implement [`Tool`](crate::Tool) by hand and read the arguments
    /// yourself.
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

impl<'a> Arguments<'a> {
    pub(crate) fn new(text: &'a str, schema: &'a InputSchema) -> Self {
        Self { text, schema }
    }

    /// Returns the JSON text. Returns `{}` if the client sent no arguments.
    pub fn as_str(&self) -> &'a str {
        self.text
    }

    /// Reads the arguments into `T`. If they do not fit, reads them again with the changes that the module
    /// [`schemas`](crate::guide::schemas#how-arguments-are-read) describes, such as `null` for an argument that is left out.
    ///
    /// # Errors
    /// Fails if the arguments do not fit `T`.
    #[inline]
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ArgumentsError> {
        self.schema.read(self.text).map_err(ArgumentsError)
    }

    /// Reads the arguments like [`read`](Self::read), but with a function instead of the `Deserialize` implementation
    /// of `T`.
    ///
    /// # Errors
    /// Fails if the arguments do not fit `T`.
    #[doc(hidden)]
    #[inline]
    pub fn read_by<T>(&self, read: fn(&str) -> serde_json::Result<T>) -> Result<T, ArgumentsError> {
        let read = |text: &str| read(text).map_err(|error| Unread::Value(0, error));
        self.schema.read_by(self.text, read).map_err(ArgumentsError)
    }

    /// Reads one value for each parameter.
    ///
    /// # Errors
    /// Fails if the arguments do not fit.
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
