//! Outputs of tools, and their conversion into results.

use std::{borrow::Cow, fmt::Display};

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use crate::{
    base::error::{IntoToolError, ToolError, UnserializableOutput},
    wire::protocol::{
        content::{Content, EmbeddedResource, ResourceLink},
        result::CallToolResult,
    },
};

/// A type that a tool can return.
///
/// | type | what the client gets |
/// | --- | --- |
/// | `()` | an empty result |
/// | `String`, `&'static str`, `Cow<'static, str>` | a text block |
/// | [`Text<T: Display>`](Text) | a text block |
/// | [`Json<T: Serialize + JsonSchema>`](Json) | structured content, its text mirror, and a published output schema |
/// | [`Content`], [`ResourceLink`], [`EmbeddedResource`] | that block |
/// | `Vec<Content>`, `[Content; N]` | these blocks |
/// | [`CallToolResult`] | this result |
/// | `Result<T, E>` | `T`, or a result with `isError` made from `E` |
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    label = "write `Json<{Self}>` or `Text<{Self}>`",
    note = "`Json` returns structured content: `{Self}` needs `#[derive(serde::Serialize, schemars::JsonSchema)]`",
    note = "`Text` returns text: `{Self}` needs `Display`",
    note = "other outputs are `()`, `String`, `&'static str`, content blocks, and a `Result` of any output"
)]
pub trait ToolOutput: Sized {
    /// Converts the value into a result.
    ///
    /// # Errors
    /// Returns the tool's own error, or an error if the value cannot be serialized.
    fn into_result(self) -> Result<CallToolResult, ToolError>;

    /// Returns the schema of the structured content, if the type has one.
    fn output_schema(_generator: &mut SchemaGenerator) -> Option<schemars::Schema> {
        None
    }

    /// The functions of this type. Generated code uses only this constant, so a type that lacks a bound causes only one
    /// compile error.
    #[doc(hidden)]
    const FUNCTIONS: OutputFunctions<Self> =
        OutputFunctions { into_result: Self::into_result, schema: Self::output_schema };
}

/// A type that a tool with a view can return: one with structured content, which the view gets as its data.
///
/// | type | what the view and the model get |
/// | --- | --- |
/// | [`Json<T>`](Json) | the view gets the value, the model gets its JSON as text |
/// | [`CallToolResult`] | this result. If its text is empty, the model gets the JSON of the structured content |
/// | `Result<T, E>` | `T`, or a result with `isError` made from `E` |
#[diagnostic::on_unimplemented(
    message = "a tool with a view cannot return `{Self}`",
    label = "has no structured content for the view",
    note = "return `Json<T>`: the view gets the value, and the model gets its JSON as text",
    note = "to write the text for the model yourself, return `CallToolResult::json(&value)?.text(\"…\")`"
)]
pub trait ViewOutput: ToolOutput {
    // Generated code names only this constant, so that a type without the trait causes only one error.
    #[doc(hidden)]
    const VIEW_FUNCTIONS: OutputFunctions<Self> = Self::FUNCTIONS;
}

impl<T: Structured> ViewOutput for Json<T> {}

impl ViewOutput for CallToolResult {
    const VIEW_FUNCTIONS: OutputFunctions<Self> =
        OutputFunctions { into_result: |result| Ok(result.readable()), schema: Self::output_schema };
}

impl<T: ViewOutput, E: IntoToolError> ViewOutput for Result<T, E> {
    const VIEW_FUNCTIONS: OutputFunctions<Self> = OutputFunctions {
        into_result: |result| match result {
            Ok(value) => (T::VIEW_FUNCTIONS.into_result)(value),
            Err(error) => Err(error.into_tool_error()),
        },
        schema: T::VIEW_FUNCTIONS.schema,
    };
}

/// The functions that convert an output of the type `T`. `T` needs no trait bound here.
#[doc(hidden)]
#[derive(Debug)]
pub struct OutputFunctions<T> {
    /// [`ToolOutput::into_result`].
    pub into_result: fn(T) -> Result<CallToolResult, ToolError>,
    /// [`ToolOutput::output_schema`].
    pub schema: fn(&mut SchemaGenerator) -> Option<schemars::Schema>,
}

/// A type that a [`Json`] can hold. Implemented for every type that is [`Serialize`] and [`JsonSchema`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the structured content of a tool",
    label = "cannot be written as JSON with a schema",
    note = "add `#[derive(serde::Serialize, schemars::JsonSchema)]` to `{Self}`, or return it as text with `Text<T>`"
)]
pub trait Structured: Serialize + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> Structured for T {}

/// Structured content: the value as JSON, the same JSON as text for older clients, and the schema of `T` as the tool's
/// output schema.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// #[derive(serde::Serialize, schemars::JsonSchema)]
/// struct Sum {
///     total: i64,
/// }
///
/// /// Adds two numbers.
/// #[mcp_tool(read_only)]
/// async fn add(a: i64, b: i64) -> Json<Sum> {
///     Json(Sum { total: a + b })
/// }
/// ```
///
/// Revisions before 2026-07-28 accept only objects as structured content. Clients of these revisions get
/// other values as text.
///
/// JSON has neither NaN nor infinity. If the value contains one, the call ends with an error result that names the
/// place of this number, and the server logs the error. In an `Option<f64>` such a number becomes `null`, like `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Json<T>(pub T);

/// A text block from any value that is [`Display`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Text<T>(pub T);

/// Implements a trait of outputs, such as [`ToolOutput`], for several types. Each expression converts the value of a type.
macro_rules! outputs {
    ($trait:ident::$convert:ident -> $result:ty;
     $($(#[$attr:meta])* [$($parameters:tt)*] $ty:ty: $value:pat => $converted:expr;)*) => {$(
        $(#[$attr])*
        impl<$($parameters)*> $trait for $ty {
            fn $convert(self) -> Result<$result, $crate::base::error::ToolError> {
                let $value = self;
                $converted
            }
        }
    )*};
}
pub(crate) use outputs;

outputs! {
    ToolOutput::into_result -> CallToolResult;
    [] (): () => Ok(CallToolResult::default());
    [] String: text => Ok(CallToolResult::block(Content::text(text)));
    #[diagnostic::do_not_recommend]
    [] &'static str: text => Ok(CallToolResult::block(Content::text(text)));
    #[diagnostic::do_not_recommend]
    [] Cow<'static, str>: text => Ok(CallToolResult::block(Content::text(text)));
    [T: Display] Text<T>: Text(value) => value.to_string().into_result();
    [] Content: block => Ok(CallToolResult::block(block));
    #[diagnostic::do_not_recommend]
    [] ResourceLink: link => Ok(CallToolResult::block(link.into()));
    #[diagnostic::do_not_recommend]
    [] EmbeddedResource: resource => Ok(CallToolResult::block(resource.into()));
    #[diagnostic::do_not_recommend]
    [const N: usize] [Content; N]: blocks => Ok(CallToolResult::new(blocks));
    [] CallToolResult: result => Ok(result);
}

// Written out, because the compiler shows it for other vectors.
impl ToolOutput for Vec<Content> {
    fn into_result(self) -> Result<CallToolResult, ToolError> {
        Ok(CallToolResult::new(self))
    }
}

// Not `do_not_recommend`: the compiler must report the error for `T`, not for `Json<T>`.
impl<T: Structured> ToolOutput for Json<T> {
    fn into_result(self) -> Result<CallToolResult, ToolError> {
        CallToolResult::json(&self.0).map_err(|error| ToolError::from(UnserializableOutput(error)))
    }

    fn output_schema(generator: &mut SchemaGenerator) -> Option<schemars::Schema> {
        Some(generator.root_schema_for::<T>())
    }
}

// Not `do_not_recommend`: the compiler must report the error for `E`, not for the whole `Result`.
impl<T: ToolOutput, E: IntoToolError> ToolOutput for Result<T, E> {
    fn into_result(self) -> Result<CallToolResult, ToolError> {
        match self {
            Ok(value) => value.into_result(),
            Err(error) => Err(error.into_tool_error()),
        }
    }

    fn output_schema(generator: &mut SchemaGenerator) -> Option<schemars::Schema> {
        T::output_schema(generator)
    }
}
