//! Lists of tools for `Server::tools`.

use std::borrow::Cow;

use super::{
    Tool,
    renamed::{NotThere, Renamed},
};

/// A list of tools for [`Server::tools`](crate::Server::tools): the result of [`tools!`](crate::tools), or any other
/// iterator over boxed tools.
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
    note = "to add a single tool, such as a value of a type with `#[handoff]`, use `Server::tool`"
)]
pub trait IntoTools {
    /// Returns the tools in the order in which they are listed.
    fn into_tools(self) -> impl Iterator<Item = Box<dyn Tool>>;

    /// Returns the tools with `prefix` before each name, for example for the tools of a library.
    ///
    /// Lists, logs, metrics and the ledger use only the new names. If the protocol does not allow a new name, or two
    /// tools have the same name, [`Server::build`](crate::Server::build) fails.
    ///
    /// ```
    /// use mcp_runtime::{Server, prelude::*};
    ///
    /// mod git {
    ///     use mcp_runtime::{Tool, prelude::*};
    ///
    ///     /// Shows the commits.
    ///     #[mcp_tool(read_only)]
    ///     async fn log() -> &'static str {
    ///         "initial commit"
    ///     }
    ///
    ///     pub fn tools() -> Vec<Box<dyn Tool>> {
    ///         tools![log]
    ///     }
    /// }
    ///
    /// let service = Server::new("work", "1.0.0").tools(git::tools().prefix("git_")).build().unwrap();
    /// assert_eq!(service.manifest()["tools"][0]["name"], "git_log");
    /// ```
    fn prefix(self, prefix: impl Into<Cow<'static, str>>) -> Vec<Box<dyn Tool>>
    where
        Self: Sized,
    {
        let prefix = prefix.into();
        self.into_tools()
            .map(|tool| Box::new(Renamed::<Box<dyn Tool>>::with_prefix(tool, prefix.clone())) as Box<dyn Tool>)
            .collect()
    }

    /// Returns the tools, after renaming the tool `name` to `new_name`.
    ///
    /// If the list has no tool `name`, [`Server::build`](crate::Server::build) fails, so that a library cannot change
    /// its names unnoticed.
    ///
    /// ```
    /// use mcp_runtime::{Server, prelude::*};
    ///
    /// /// Shows the commits.
    /// #[mcp_tool(read_only)]
    /// async fn log() -> &'static str {
    ///     "initial commit"
    /// }
    ///
    /// let service = Server::new("work", "1.0.0").tools(tools![log].rename("log", "history")).build().unwrap();
    /// assert_eq!(service.manifest()["tools"][0]["name"], "history");
    ///
    /// let error = Server::new("work", "1.0.0").tools(tools![log].rename("blame", "who")).build().unwrap_err();
    /// assert!(error.to_string().contains("the list has no tool named `blame`"));
    /// ```
    fn rename(self, name: &str, new_name: impl Into<Cow<'static, str>>) -> Vec<Box<dyn Tool>>
    where
        Self: Sized,
    {
        let mut tools: Vec<_> = self.into_tools().collect();
        let names: Vec<_> = tools.iter().map(|tool| tool.definition().name).collect();
        match names.iter().position(|known| known == name) {
            Some(at) => {
                let tool = tools.remove(at);
                tools.insert(at, Box::new(Renamed::<Box<dyn Tool>>::new(tool, new_name)));
            }
            None => {
                let new_name = new_name.into();
                let known = names.join("`, `");
                let problem = format!(
                    "the list has no tool named `{name}`, so it cannot be renamed to `{new_name}`; the list \
                     has `{known}`"
                );
                tools.push(Box::new(NotThere(problem)));
            }
        }
        tools
    }
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

/// Stands for `Box<dyn Tool>` in a bound, so that a wrong item type causes the error message of [`IntoTools`].
pub trait BoxedTool {
    fn boxed(self) -> Box<dyn Tool>;
}

#[diagnostic::do_not_recommend]
impl BoxedTool for Box<dyn Tool> {
    fn boxed(self) -> Box<dyn Tool> {
        self
    }
}
