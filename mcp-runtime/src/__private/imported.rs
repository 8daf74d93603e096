//! Detects whether `Result<T>` with one argument is an imported alias or the `Result` of the standard library, which
//! takes two arguments.
//!
//! A macro does not see imports. So the check uses `Result<T>` in two nested blocks. The outer block imports
//! [`std_result`]. The inner block imports everything from the author's module (`use self::*`). Name lookup starts in
//! the inner block, so it finds the outer `Result` only if the author's module has none.

use std::marker::PhantomData;

use super::Tool;

/// All types except the `Result<T>` of the standard library implement this trait. So a tool that returns that type gets
/// the error below.
#[diagnostic::on_unimplemented(
    message = "this is the `Result` of the standard library, which needs two type arguments",
    label = "write `use mcp_runtime::Result;`",
    note = "with `mcp_runtime::Result`, `?` converts any error to a `ToolError`"
)]
pub trait ErrorIsKnown<Of> {
    const CHECK: () = ();
}

// Unsized types are excluded. The only such type here is `OneArgument<_>`.
#[diagnostic::do_not_recommend]
impl<R, Of: Tool> ErrorIsKnown<Of> for R {}

#[diagnostic::do_not_recommend]
impl<R: ?Sized> ErrorIsKnown<Nowhere> for R {}

/// Replaces the type of a tool that is declared inside a function. The check of `Result<T>` cannot see the imports
/// inside that function. So for such a tool, the check accepts all types.
pub struct Nowhere;

/// The type behind the `Result<T>` of [`std_result`]. The type is unsized, so that it satisfies no bound.
pub struct OneArgument<T>(pub PhantomData<T>, pub [()]);

/// Contains the `Result` that name lookup finds if the author's module imports no other `Result`.
pub mod std_result {
    // An alias, because a type named `Result` would make the compiler write `std::result::Result` in all messages.
    pub type Result<T> = super::OneArgument<T>;
}
