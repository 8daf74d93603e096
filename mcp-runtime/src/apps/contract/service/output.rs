//! Outputs of methods.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    base::error::{IntoToolError, ToolError, UnserializableOutput},
    engine::tool::output::OutputFunctions,
    wire::protocol::result::CallToolResult,
};

/// A type that a method of a contract can return. Implemented for every type that is [`Serialize`] and [`JsonSchema`].
#[diagnostic::on_unimplemented(
    message = "a method of a contract cannot return `{Self}`",
    label = "cannot be written as JSON with a schema",
    note = "add `#[derive(serde::Serialize, schemars::JsonSchema)]` to `{Self}`; an alias of `Result` must be named `Result`"
)]
pub trait MethodOutput: Sized {
    #[doc(hidden)]
    const FUNCTIONS: OutputFunctions<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> MethodOutput for T {
    const FUNCTIONS: OutputFunctions<Self> = OutputFunctions {
        into_result: |value| json(&value),
        schema: |generator| Some(generator.root_schema_for::<T>()),
    };
}

/// A `Result` that a method of a contract can return.
#[diagnostic::on_unimplemented(
    message = "a method of a contract cannot return `{Self}`",
    label = "not a `std::result::Result`",
    note = "return a value, or `Result<T, E>` with an error of your own"
)]
pub trait MethodResult: Sized {
    #[doc(hidden)]
    const FUNCTIONS: OutputFunctions<Self>;
}

// Not `do_not_recommend`: the compiler must report the error for `T` or `E`, not for the whole `Result`.
impl<T: MethodOutput, E: IntoToolError> MethodResult for Result<T, E> {
    const FUNCTIONS: OutputFunctions<Self> = OutputFunctions {
        into_result: |result| match result {
            Ok(value) => (T::FUNCTIONS.into_result)(value),
            Err(error) => Err(error.into_tool_error()),
        },
        schema: T::FUNCTIONS.schema,
    };
}

fn json(value: &impl Serialize) -> Result<CallToolResult, ToolError> {
    CallToolResult::json(value).map_err(|error| ToolError::from(UnserializableOutput(error)))
}
