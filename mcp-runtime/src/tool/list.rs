//! What `Server::tools` takes.

use super::Tool;

/// A list of tools, as [`Server::tools`](crate::Server::tools) takes it: what [`tools!`](crate::tools) returns, or
/// anything else that can be iterated and yields boxed tools.
///
/// ```
/// use mcp_runtime::{Server, Tool, prelude::*};
///
/// /// Adds two numbers.
/// #[mcp_tool(read_only)]
/// async fn add(a: i64, b: i64) -> Text<i64> {
///     Text(a + b)
/// }
///
/// let tools: Vec<Box<dyn Tool>> = tools![add];
/// let read_only = tools.into_iter().filter(|tool| tool.definition().name() == "add");
/// let server = Server::new("calculator", "1.0.0").tools(read_only);
/// # server.build().unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of tools",
    label = "write `tools![…]` around the names of the functions",
    note = "`tools![search, files::read]` makes the list that `Server::tools` takes, from functions with `#[mcp_tool]`",
    note = "a value of a type that is a tool, such as one with `#[handoff]`, is given to `Server::tool`"
)]
pub trait IntoTools {
    /// The tools, in the order in which they are listed.
    fn into_tools(self) -> impl Iterator<Item = Box<dyn Tool>>;
}

#[diagnostic::do_not_recommend]
impl<I: IntoIterator> IntoTools for I
where
    I::Item: BoxedTool,
{
    fn into_tools(self) -> impl Iterator<Item = Box<dyn Tool>> {
        self.into_iter().map(BoxedTool::boxed)
    }
}

/// `Box<dyn Tool>` as a bound: an unmet bound is reported with the words of [`IntoTools`], a mismatch of types is not.
pub trait BoxedTool {
    fn boxed(self) -> Box<dyn Tool>;
}

#[diagnostic::do_not_recommend]
impl BoxedTool for Box<dyn Tool> {
    fn boxed(self) -> Box<dyn Tool> {
        self
    }
}
