//! Detects whether `Result<T>` with one argument is an imported alias or the `Result` of the standard library, which
//! takes two.
//!
//! A macro does not see imports. So the check names `Result<T>` in a block that imports everything from the author's
//! module (`use self::*`), inside a block that imports [`std_result`]. Name lookup starts in the inner block, so it
//! finds the outer `Result` only if the author's module has none.

use std::marker::PhantomData;

use super::Tool;

/// The output `Result<T>` of the tool `Of`.
#[diagnostic::on_unimplemented(
    message = "`Result` here is that of the standard library, which takes two arguments",
    label = "write `use mcp_runtime::Result;`, or `ToolResult` instead of `Result`",
    note = "their error is a `ToolError`, which `?` makes from every error"
)]
pub trait ErrorIsKnown<Of> {
    const CHECK: () = ();
}

// Not for unsized types: `OneArgument` is the only one.
#[diagnostic::do_not_recommend]
impl<R, Of: Tool> ErrorIsKnown<Of> for R {}

#[diagnostic::do_not_recommend]
impl<R: ?Sized> ErrorIsKnown<Nowhere> for R {}

/// Stands for a tool declared in a function. The imports of a function are unknown.
pub struct Nowhere;

/// Unsized, so that it satisfies no bound.
pub struct OneArgument<T>(pub PhantomData<T>, pub [()]);

/// Contains the `Result` that is found if none was imported.
pub mod std_result {
    // An alias, because a type named `Result` would make the compiler write `std::result::Result` in all messages.
    pub type Result<T> = super::OneArgument<T>;
}
