//! Tools: their definitions, parameters and outputs.

pub(crate) mod annotations;
pub(crate) mod begin;
pub(crate) mod bound;
pub(crate) mod check;
pub(crate) mod definition;
mod dynamic;
pub(crate) mod guard;
pub(crate) mod host_warnings;
pub(crate) mod input;
pub(crate) mod into_tool;
mod list;
pub(crate) mod live_registry;
pub(crate) mod output;
pub(crate) mod registered;
pub(crate) mod registry;
mod renamed;
pub(crate) mod state;
pub(crate) mod view;

use std::{any::Any, borrow::Cow};

pub use self::{
    definition::{FormEntry, ToolDefinition},
    dynamic::DynamicTool,
    input::{Arguments, ArgumentsError, ToolInput},
    into_tool::IntoTool,
    list::IntoTools,
    output::{Json, Structured, Text, ToolOutput, ViewOutput},
    renamed::Renamed,
    state::{State, StateNeed},
    view::{View, ViewDefinition},
};
use crate::engine::call::{Call, running::CallFuture};

/// A tool of a server. `#[mcp_tool]` generates the implementation; implement it by hand for tools that are known only
/// at run time:
///
/// ```
/// use mcp_runtime::{
///     Call, CallToolResult, Ctx, Level, Server, Tool,
///     call::CallFuture,
///     tool::{Arguments, ArgumentsError, ToolDefinition},
/// };
/// use serde_json::{Value, json};
///
/// /// A query from a configuration file.
/// struct Query {
///     name: String,
///     about: String,
/// }
///
/// impl Tool for Query {
///     fn definition(&self) -> ToolDefinition {
///         let schema = json!({ "type": "object", "properties": { "limit": { "type": "integer", "minimum": 1 } } });
///         ToolDefinition::new(self.name.clone(), self.about.clone()).input_schema(schema).read_only(true)
///     }
///
///     fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
///         let arguments: Value = arguments.read()?;
///         Ok(Box::pin(async move {
///             let ctx: Ctx = call.context();
///             ctx.log(Level::Debug, "asked");
///             Ok(CallToolResult::json(&arguments["limit"])?)
///         }))
///     }
/// }
///
/// let query = Query { name: "top_customers".to_owned(), about: "The customers who bought most.".to_owned() };
/// let server = Server::new("reports", "1.0.0").tool(query);
/// # server.build().unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a tool",
    note = "put `#[mcp_tool]` above the `async fn` and name it in `tools![…]`, \
            or `#[handoff]` above an `impl` block with the phases `before`, `client` and `after`"
)]
pub trait Tool: Any + Send + Sync {
    /// Returns the tool's definition. [`Server::build`](crate::Server::build) calls this method.
    fn definition(&self) -> ToolDefinition;

    /// Begins a call: reads the arguments and returns the future of the result.
    ///
    /// # Errors
    /// Fails if an argument is invalid. The server then reports all invalid arguments to the model.
    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError>;

    /// Returns the tool to which this one forwards its calls, if there is one. Default: `None`.
    ///
    /// The phases of a [`#[handoff]`](macro@crate::handoff) find their `&self` through this method. A server cannot
    /// be built if a tool wraps such a handoff and does not return the handoff here.
    ///
    /// ```
    /// use mcp_runtime::{Call, Tool, call::CallFuture, tool::{Arguments, ArgumentsError, ToolDefinition}};
    ///
    /// /// Logs each call of a tool to standard error.
    /// struct Logged<T>(T);
    ///
    /// impl<T: Tool> Tool for Logged<T> {
    ///     fn definition(&self) -> ToolDefinition {
    ///         self.0.definition()
    ///     }
    ///
    ///     fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
    ///         eprintln!("one more call");
    ///         self.0.call(call, arguments)
    ///     }
    ///
    ///     fn wrapped(&self) -> Option<&dyn Tool> {
    ///         Some(&self.0)
    ///     }
    /// }
    /// ```
    ///
    /// To run code around every call of a server, use a [layer](crate::layer).
    fn wrapped(&self) -> Option<&dyn Tool> {
        None
    }

    /// Returns the tool under another name. Lists, logs, metrics and the ledger use only that name.
    ///
    /// For a list of tools see [`prefix`](IntoTools::prefix) and [`rename`](IntoTools::rename).
    ///
    /// ```
    /// use mcp_runtime::{Server, Tool, prelude::*};
    ///
    /// struct Greet(&'static str);
    ///
    /// /// Greets a person.
    /// #[handoff]
    /// impl Greet {
    ///     async fn before(&self, name: String) -> String {
    ///         format!("{}, {name}!", self.0)
    ///     }
    ///
    ///     async fn client(_ctx: &Ctx, _greeting: &String) {}
    ///
    ///     async fn after(&self, greeting: String, _: ()) -> String {
    ///         greeting
    ///     }
    /// }
    ///
    /// let server = Server::new("s", "1.0.0")
    ///     .tool(Greet("Hello").with_name("greet"))
    ///     .tool(Greet("Olá").with_name("greet_in_portuguese"));
    /// # server.build().unwrap();
    /// ```
    fn with_name(self, name: impl Into<Cow<'static, str>>) -> Renamed<Self>
    where
        Self: Sized,
    {
        Renamed::new(Box::new(self), name)
    }
}

/// A tool that asks the user with the forms of the set `S`, an enum with [`#[elicits]`](macro@crate::elicits). A tool
/// that shows no form asks with [`NoForms`](crate::call::NoForms).
///
/// [`#[mcp_tool]`](macro@crate::mcp_tool) and [`#[handoff]`](macro@crate::handoff) generate the implementation from the
/// parameter `&Ctx<S>`, which can also be an alias of this type. Implement it by hand for a tool that implements
/// [`Tool`](crate::Tool) by hand. A plugin needs a handler for exactly these forms.
#[diagnostic::on_unimplemented(
    message = "the forms of `{Self}` are not known",
    label = "does not implement `AsksWith`",
    note = "`#[mcp_tool]` and `#[handoff]` declare the forms of a tool, from its parameter `&Ctx<YourForms>`",
    note = "for a tool that implements `Tool` by hand, write `impl AsksWith<YourForms> for {Self} {{}}`, or \
            `AsksWith<NoForms>` if it shows no form",
    note = "for any other tool, such as one of a list, use `Server::tool` and `PluginHostBuilder::on_elicit`"
)]
// Not a subtrait of `Tool`: a type that cannot be a tool would cause a second error.
pub trait AsksWith<S> {}

/// Returns the tool and all tools inside it: the tool that it wraps, the tool that the wrapped tool wraps, and so on.
pub(crate) fn nested(tool: &dyn Tool) -> impl Iterator<Item = &dyn Any> {
    std::iter::successors(Some(tool), |tool| tool.wrapped()).map(|tool| tool as &dyn Any)
}
