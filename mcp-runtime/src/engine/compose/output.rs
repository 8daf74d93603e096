//! The outputs of tools, as their callers get them.

use std::{borrow::Cow, fmt::Display, str::FromStr};

use serde::de::DeserializeOwned;

use crate::{
    base::error::{Result, ToolError},
    engine::tool::{Json, Structured, Text, ToolOutput},
    wire::protocol::{
        content::{Content, EmbeddedResource, ResourceLink},
        result::CallToolResult,
    },
};

/// An output that a tool can use when it [calls](crate::Ctx::call_tool) the tool that has it.
///
/// | output of the called tool | what its caller gets |
/// | --- | --- |
/// | `()` | `()` |
/// | `String`, `&'static str`, `Cow<'static, str>` | `String` |
/// | [`Text<T>`](Text), if `T` is [`FromStr`] | `T` |
/// | [`Json<T>`](Json), if `T` is [`Deserialize`](serde::Deserialize) | `T` |
/// | content blocks, [`CallToolResult`] | [`CallToolResult`] |
/// | `Result<T, E>` | what `T` gives |
#[diagnostic::on_unimplemented(
    message = "the output `{Self}` cannot be read by a tool that calls this one",
    label = "the output of the called tool is `{Self}`",
    note = "or call the tool by its name, `ctx.call(\"…\", arguments)`, which returns a `CallToolResult`"
)]
pub trait CalledOutput: ToolOutput {
    /// What the caller gets.
    type Value: Send;

    /// Reads the result of the tool.
    ///
    /// # Errors
    /// Fails if the result is an error, or cannot be read as a value of this type.
    fn read(result: CallToolResult) -> Result<Self::Value>;
}

/// A type that a [`Json`] can hold in the output of a called tool.
#[diagnostic::on_unimplemented(
    message = "the output of the called tool cannot be read as `{Self}`",
    label = "the tool returns a `Json<{Self}>`",
    note = "add `#[derive(serde::Deserialize)]` to `{Self}`",
    note = "or call the tool by its name, `ctx.call(\"…\", arguments)`, which returns a `CallToolResult`"
)]
pub trait ReadStructured: Structured + Send + Sized {
    #[doc(hidden)]
    fn read_structured(text: &str) -> serde_json::Result<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: Structured + DeserializeOwned + Send> ReadStructured for T {
    fn read_structured(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }
}

/// A type that a [`Text`] can hold in the output of a called tool.
#[diagnostic::on_unimplemented(
    message = "the output of the called tool cannot be read as `{Self}`",
    label = "the tool returns a `Text<{Self}>`",
    note = "implement `FromStr` for `{Self}`, whose error is `Display`",
    note = "or call the tool by its name, `ctx.call(\"…\", arguments)`, which returns a `CallToolResult`"
)]
pub trait ReadText: Display + Send + Sized {
    #[doc(hidden)]
    fn read_text(text: &str) -> Result<Self, String>;
}

#[diagnostic::do_not_recommend]
impl<T: Display + FromStr<Err: Display> + Send> ReadText for T {
    fn read_text(text: &str) -> Result<Self, String> {
        text.parse().map_err(|error: T::Err| error.to_string())
    }
}

/// Returns the result, unless it is an error of the called tool.
pub(crate) fn successful(result: CallToolResult) -> Result<CallToolResult> {
    if result.is_error { Err(ToolError::from(text_of(&result))) } else { Ok(result) }
}

fn text_of(result: &CallToolResult) -> String {
    result.content().iter().filter_map(Content::as_text).collect::<Vec<_>>().join("\n")
}

fn text(result: CallToolResult) -> Result<String> {
    successful(result).map(|result| text_of(&result))
}

/// Implements [`CalledOutput`] for several types. Each function reads the result.
macro_rules! called_outputs {
    ($($ty:ty => $value:ty: $read:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl CalledOutput for $ty {
            type Value = $value;

            fn read(result: CallToolResult) -> Result<$value> {
                $read(result)
            }
        }
    )*};
}
called_outputs! {
    () => (): |result| successful(result).map(drop);
    String => String: text;
    &'static str => String: text;
    Cow<'static, str> => String: text;
    Content => CallToolResult: successful;
    ResourceLink => CallToolResult: successful;
    EmbeddedResource => CallToolResult: successful;
    Vec<Content> => CallToolResult: successful;
    CallToolResult => CallToolResult: Ok;
}

impl<const N: usize> CalledOutput for [Content; N] {
    type Value = CallToolResult;

    fn read(result: CallToolResult) -> Result<CallToolResult> {
        successful(result)
    }
}

// Not `do_not_recommend`: the compiler must report the error for `T`, not for `Text<T>`.
impl<T: ReadText> CalledOutput for Text<T> {
    type Value = T;

    fn read(result: CallToolResult) -> Result<T> {
        let text = text(result)?;
        T::read_text(&text).map_err(|error| ToolError::from(format!("the tool has returned `{text}`: {error}")))
    }
}

// Not `do_not_recommend`, as above.
impl<T: ReadStructured> CalledOutput for Json<T> {
    type Value = T;

    fn read(result: CallToolResult) -> Result<T> {
        let result = successful(result)?;
        let structured = result.structured.as_deref().ok_or("the tool has returned no structured content")?;
        Ok(T::read_structured(structured)?)
    }
}

impl<T: CalledOutput, E: crate::base::error::IntoToolError> CalledOutput for Result<T, E> {
    type Value = T::Value;

    fn read(result: CallToolResult) -> Result<T::Value> {
        T::read(result)
    }
}
