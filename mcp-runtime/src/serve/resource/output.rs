//! Outputs of resources, and their conversion into results.

use std::{borrow::Cow, fmt::Display};

use serde::Serialize;

use super::{ReadResourceResult, ResourceContents};
use crate::{
    base::error::{IntoToolError, ToolError, UnserializableOutput},
    engine::tool::{Json, Text},
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

macro_rules! one_part {
    ($($(#[$attr:meta])* $ty:ty: $part:ident),* $(,)?) => {$(
        $(#[$attr])*
        impl ResourceOutput for $ty {
            fn into_result(self) -> Result<ReadResourceResult, ToolError> {
                Ok(ReadResourceResult::new([ResourceContents::$part(self)]))
            }
        }
    )*};
}
one_part!(
    String: text,
    #[diagnostic::do_not_recommend] &'static str: text,
    #[diagnostic::do_not_recommend] Cow<'static, str>: text,
    Vec<u8>: blob,
    #[diagnostic::do_not_recommend] &'static [u8]: blob,
);

#[diagnostic::do_not_recommend]
impl<const N: usize> ResourceOutput for &'static [u8; N] {
    fn into_result(self) -> Result<ReadResourceResult, ToolError> {
        self.as_slice().into_result()
    }
}

impl<T: Display> ResourceOutput for Text<T> {
    fn into_result(self) -> Result<ReadResourceResult, ToolError> {
        self.0.to_string().into_result()
    }
}

impl<T: Serialize> ResourceOutput for Json<T> {
    fn into_result(self) -> Result<ReadResourceResult, ToolError> {
        let text = serde_json::to_string(&self.0).map_err(UnserializableOutput)?;
        Ok(ReadResourceResult::new([ResourceContents::json(text)]))
    }
}

impl ResourceOutput for ResourceContents {
    fn into_result(self) -> Result<ReadResourceResult, ToolError> {
        Ok(ReadResourceResult::new([self]))
    }
}

impl ResourceOutput for Vec<ResourceContents> {
    fn into_result(self) -> Result<ReadResourceResult, ToolError> {
        Ok(ReadResourceResult::new(self))
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize> ResourceOutput for [ResourceContents; N] {
    fn into_result(self) -> Result<ReadResourceResult, ToolError> {
        Ok(ReadResourceResult::new(self))
    }
}

impl ResourceOutput for ReadResourceResult {
    fn into_result(self) -> Result<ReadResourceResult, ToolError> {
        Ok(self)
    }
}

// Not `do_not_recommend`: the compiler must report the error for `T`, not for the whole `Option`.
impl<T: ResourceOutput> ResourceOutput for Option<T> {
    fn into_result(self) -> Result<ReadResourceResult, ToolError> {
        self.ok_or(ResourceNotFound)?.into_result()
    }
}

// Not `do_not_recommend`: the compiler must report the error for `E`, not for the whole `Result`.
impl<T: ResourceOutput, E: IntoToolError> ResourceOutput for Result<T, E> {
    fn into_result(self) -> Result<ReadResourceResult, ToolError> {
        self.map_err(IntoToolError::into_tool_error)?.into_result()
    }
}
