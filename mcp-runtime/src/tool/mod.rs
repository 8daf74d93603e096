//! Tools: what they take, what they return, what is published about them.

pub(crate) mod definition;
pub(crate) mod input;
mod list;
pub(crate) mod output;
pub(crate) mod schema;
pub(crate) mod state;

use std::{any::Any, pin::Pin};

pub use self::{
    definition::{Capability, ToolDefinition},
    input::{Arguments, ArgumentsError, ToolInput},
    list::IntoTools,
    output::{CallToolResult, IntoToolError, Json, Structured, Text, ToolOutput},
    state::{State, StateNeed},
};
use crate::{call::Call, error::ToolError};

/// One tool as a server holds it. `#[mcp_tool]` writes the implementation; a tool that is only known at run time
/// writes its own:
///
/// ```
/// use mcp_runtime::{Arguments, ArgumentsError, Call, CallToolResult, Calling, Ctx, Level, Server, Tool, ToolDefinition};
/// use serde_json::{Value, json};
///
/// /// A query that stands in a configuration file.
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
///     fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<Calling, ArgumentsError> {
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
    /// What is published about it. Asked once, when the server is built.
    fn definition(&self) -> ToolDefinition;

    /// Begins a call: reads the arguments and gives the future that does the work.
    ///
    /// # Errors
    /// The arguments do not fit; the server answers with all that is wrong.
    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<Calling, ArgumentsError>;
}

/// The future of one call.
pub type Calling = Pin<Box<dyn Future<Output = Result<CallToolResult, ToolError>> + Send>>;
