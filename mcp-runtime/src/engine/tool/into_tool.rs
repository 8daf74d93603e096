//! Values that become tools.

use super::Tool;

/// A value that is a tool or becomes one: for [`Server::tool`](crate::Server::tool), for
/// [`ToolList::add`](crate::tool::ToolList::add), and for plugins.
///
/// Every [`Tool`] is such a value. `#[mcp_actions]` implements this trait for the type of its `impl` block. The name of
/// a function with [`#[mcp_tool]`](macro@crate::mcp_tool) is such a value if it is written with braces, `search {}`.
/// Without braces, it is the function.
///
/// The compiler infers `Kind`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a tool",
    note = "for a function with `#[mcp_tool]`, write `Server::tools(tools![search])`, or its name with braces, \
            `search {{}}`, where a single tool is needed",
    note = "to make a tool of a type, put `#[handoff]` or `#[mcp_actions]` above its `impl` block, or implement `Tool`; \
            give a service with `#[contract]` to `Server::contract`"
)]
pub trait IntoTool<Kind> {
    /// The type of the tool.
    type Tool: Tool;

    /// Returns the tool.
    fn into_tool(self) -> Self::Tool;
}

/// The kind of a value that is a tool.
pub enum IsTool {}

/// The kind of a value of a type with `#[mcp_actions]`.
pub enum HasActions {}

/// The kind of no value. With this second implementation, the compiler does not take every value for a tool. So a value
/// that is not a tool causes one error, and none about the methods of the result.
pub enum HasNoKind {}

/// A condition that no type meets.
pub trait Never {
    /// The type of the tool that does not exist.
    type Tool: Tool;
}

#[diagnostic::do_not_recommend]
impl<T: Tool> IntoTool<IsTool> for T {
    type Tool = T;

    fn into_tool(self) -> T {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Never> IntoTool<HasNoKind> for T {
    type Tool = T::Tool;

    fn into_tool(self) -> T::Tool {
        unreachable!("no value is of this kind")
    }
}
