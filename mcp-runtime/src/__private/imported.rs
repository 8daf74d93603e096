//! Whether a `Result<T>` of one argument has been imported, or is the `Result` of the standard library, which takes
//! two.
//!
//! A macro does not see imports. So the check names `Result<T>` in a block that has everything of the author's module
//! (`use self::*`), inside of a block that has ours ([`std_result`]): a name is looked up in the inner block first, so
//! the outer one is found only where the author's module has none.

use std::marker::PhantomData;

use super::Tool;

/// An output that is `Result<T>`, of the tool `Of`.
#[diagnostic::on_unimplemented(
    message = "`Result` is the one of the standard library here, which takes two arguments",
    label = "write `use mcp_runtime::Result;`, or `ToolResult` instead of `Result`",
    note = "their error is a `ToolError`, which `?` makes from every error"
)]
pub trait ErrorIsKnown<Of> {
    const CHECK: () = ();
}

// Not for unsized types, of which there is one: `OneArgument`.
#[diagnostic::do_not_recommend]
impl<R, Of: Tool> ErrorIsKnown<Of> for R {}

#[diagnostic::do_not_recommend]
impl<R: ?Sized> ErrorIsKnown<Nowhere> for R {}

/// Stands for a tool that its module does not have, since it is declared in a function: what that function imports is
/// not known.
pub struct Nowhere;

/// Unsized, so that no bound holds for it.
pub struct OneArgument<T>(pub PhantomData<T>, pub [()]);

/// What is found where nothing was imported.
pub mod std_result {
    // An alias: a type of this name would make the compiler write `std::result::Result` for the other in all messages.
    pub type Result<T> = super::OneArgument<T>;
}
