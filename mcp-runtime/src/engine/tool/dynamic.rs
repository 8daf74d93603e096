//! Tools from data: a definition that is known only at run time, and a function.

use std::{borrow::Cow, fmt};

use serde_json::Value;

use super::{Arguments, ArgumentsError, AsksWith, Tool, ToolDefinition, ToolOutput};
use crate::engine::call::{Call, Ctx, NoForms, running::CallFuture};

/// A tool that consists of a definition and a function. Use it for a tool that is known only at run time, for example
/// from a configuration file. The function gets the context of the call, and the arguments as JSON. It returns any
/// [output of a tool](ToolOutput).
///
/// The schema is enforced: the function runs only with arguments that fit.
///
/// ```
/// use mcp_runtime::{Server, prelude::*, tool::DynamicTool};
/// use serde_json::{Value, json};
///
/// let schema = json!({
///     "type": "object",
///     "properties": { "sides": { "type": "integer", "minimum": 2 } },
///     "required": ["sides"],
/// });
/// let roll = DynamicTool::from_schema("roll", "Rolls a die.", schema, async |_: Ctx, arguments: Value| {
///     format!("a die with {} sides shows 1", arguments["sides"])
/// });
/// let service = Server::new("dice", "1.0.0").tool(roll).build().unwrap();
/// ```
///
/// A closure that needs a value must clone it into the future:
/// `move |ctx, arguments| { let db = db.clone(); async move { … } }`.
#[derive(Clone)]
pub struct DynamicTool<F> {
    definition: ToolDefinition,
    run: F,
}

impl<F, R> DynamicTool<F>
where
    F: Fn(Ctx, Value) -> R + Send + Sync + 'static,
    R: Future<Output: ToolOutput> + Send + 'static,
{
    /// Creates a tool from its definition, which can have hints, a title, scopes and requirements.
    pub fn new(definition: ToolDefinition, run: F) -> Self {
        Self { definition, run }
    }

    /// Creates a tool from its name, its description and the schema of its arguments (JSON Schema 2020-12). The root of
    /// the schema must be a plain object, see [`ToolDefinition::input_schema`].
    #[track_caller]
    pub fn from_schema(
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
        schema: impl Into<Value>,
        run: F,
    ) -> Self {
        Self::new(ToolDefinition::new(name, description).input_schema(schema), run)
    }
}

#[diagnostic::do_not_recommend]
impl<F, R> Tool for DynamicTool<F>
where
    F: Fn(Ctx, Value) -> R + Send + Sync + 'static,
    R: Future<Output: ToolOutput> + Send + 'static,
{
    fn definition(&self) -> ToolDefinition {
        self.definition.clone()
    }

    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        let running = (self.run)(call.context(), arguments.read()?);
        Ok(Box::pin(async move { running.await.into_result() }))
    }
}

impl<F> AsksWith<NoForms> for DynamicTool<F> {}

impl<F> fmt::Debug for DynamicTool<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynamicTool").field("definition", &self.definition).finish_non_exhaustive()
    }
}
