//! Outputs of resources, and their conversion into results.

use std::{borrow::Cow, fmt::Display};

use serde::Serialize;

use super::{ReadResourceResult, ResourceContents};
use crate::{
    base::error::{IntoToolError, ToolError, UnserializableOutput},
    engine::tool::{Json, Text, output::outputs},
};

/// The error for a resource that does not exist. The client gets the error that its protocol revision defines.
///
/// ```
/// use mcp_runtime::{Result, resource::ResourceNotFound};
///
/// fn page(name: &str) -> Result<&'static str> {
///     match name {
///         "start" => Ok("# Start"),
///         _ => Err(ResourceNotFound.into()),
///     }
/// }
/// # assert!(page("end").unwrap_err().downcast_ref::<ResourceNotFound>().is_some());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the resource does not exist")]
pub struct ResourceNotFound;

/// A type that a resource can return.
///
/// | type | what the client gets |
/// | --- | --- |
/// | `String`, `&'static str`, `Cow<'static, str>`, [`Text<T: Display>`](Text) | text |
/// | `Vec<u8>`, `&'static [u8]`, `&'static [u8; N]` | bytes |
/// | [`Json<T>`](Json) | JSON as text, of the type `application/json` if the resource has no MIME type |
/// | [`ResourceContents`] | one part, with its own URI and MIME type if it has them |
/// | `Vec<ResourceContents>`, `[ResourceContents; N]` | several parts |
/// | [`ReadResourceResult`] | this result |
/// | `Option<T>` | `T`, or the error that the resource does not exist |
/// | `Result<T, E>` | `T`, or an error made from `E`; see [`ResourceNotFound`] |
#[diagnostic::on_unimplemented(
    message = "a resource cannot return `{Self}`",
    label = "it is not the content of a resource",
    note = "return text (`String`, `&'static str`, `Text<T>`), bytes (`Vec<u8>`), a `Json<T>`, `ResourceContents`, or an `Option` or `Result` of one of these"
)]
pub trait ResourceOutput: Sized {
    /// Converts the value into a result.
    ///
    /// # Errors
    /// Returns the resource's own error, or [`ResourceNotFound`].
    fn into_result(self) -> Result<ReadResourceResult, ToolError>;

    // Generated code names only this constant, so that a type without the trait causes only one error.
    #[doc(hidden)]
    const INTO_RESULT: fn(Self) -> Result<ReadResourceResult, ToolError> = Self::into_result;
}

outputs! {
    ResourceOutput::into_result -> ReadResourceResult;
    [] String: text => ResourceContents::text(text).into_result();
    #[diagnostic::do_not_recommend]
    [] &'static str: text => ResourceContents::text(text).into_result();
    #[diagnostic::do_not_recommend]
    [] Cow<'static, str>: text => ResourceContents::text(text).into_result();
    [] Vec<u8>: bytes => ResourceContents::blob(bytes).into_result();
    #[diagnostic::do_not_recommend]
    [] &'static [u8]: bytes => ResourceContents::blob(bytes).into_result();
    #[diagnostic::do_not_recommend]
    [const N: usize] &'static [u8; N]: bytes => bytes.as_slice().into_result();
    [T: Display] Text<T>: Text(value) => value.to_string().into_result();
    [T: Serialize] Json<T>: Json(value) => {
        ResourceContents::json(serde_json::to_string(&value).map_err(UnserializableOutput)?).into_result()
    };
    [] ResourceContents: part => Ok(ReadResourceResult::new([part]));
    [] Vec<ResourceContents>: parts => Ok(ReadResourceResult::new(parts));
    #[diagnostic::do_not_recommend]
    [const N: usize] [ResourceContents; N]: parts => Ok(ReadResourceResult::new(parts));
    [] ReadResourceResult: result => Ok(result);
    // Not `do_not_recommend`: the compiler must report the error for `T` or `E`, not for the whole `Option` or `Result`.
    [T: ResourceOutput] Option<T>: value => value.ok_or(ResourceNotFound)?.into_result();
    [T: ResourceOutput, E: IntoToolError] Result<T, E>: result => {
        result.map_err(IntoToolError::into_tool_error)?.into_result()
    };
}
