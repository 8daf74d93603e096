//! `ctx.call(…)` and `ctx.call_tool(…)`: a call of another tool, to await.

use std::{fmt, marker::PhantomData, pin::Pin};

use serde::Serialize;

use super::{
    begin::begin,
    output::CalledOutput,
    runs_on::RunsOn,
    typed::{PassesOn, PreparedCall},
};
use crate::{
    base::error::{Result, ToolError},
    engine::{
        call::{CanCall, Ctx},
        tool::live_registry::LiveRegistry,
    },
    wire::protocol::result::CallToolResult,
};

impl<S, P> Ctx<S, P> {
    /// Calls a tool of this server by its name. For a tool of this crate, [`call_tool`](Self::call_tool) checks the
    /// arguments at compile time.
    ///
    /// The called tool uses this call: its questions go to the client of this call, with its name before their keys, and
    /// so do its log messages and its progress. It runs for the same principal, whose scopes and whose client's
    /// capabilities are checked. The [layers](crate::layer) of the server run around it, and its `timeout` holds. A tool
    /// that is called as a task runs here to its end.
    ///
    /// If this call is rebuilt, the called tool does not run twice: the phases `before` and `after` of a
    /// [`handoff`](macro@crate::handoff) are steps of this call, and so is a tool that does not ask, unless it is
    /// `read_only` or `idempotent`. A tool that asks must be `replayable` or a handoff if this tool is. See
    /// [`guide::composing`](crate::guide::composing).
    ///
    /// ```
    /// use mcp_runtime::{Result, prelude::*};
    /// use serde_json::json;
    ///
    /// /// Adds two numbers.
    /// #[mcp_tool(read_only)]
    /// async fn add(a: i64, b: i64) -> Text<i64> {
    ///     Text(a + b)
    /// }
    ///
    /// /// Adds three numbers with a tool that is chosen at run time.
    /// #[mcp_tool(read_only)]
    /// async fn add_with(ctx: &Ctx, tool: String, numbers: [i64; 3]) -> Result<String> {
    ///     let [a, b, c] = numbers;
    ///     let sum = ctx.call(tool.clone(), json!({ "a": a, "b": b })).await?;
    ///     let sum = sum.content()[0].as_text().unwrap_or_default().parse::<i64>()?;
    ///     let sum = ctx.call(tool, json!({ "a": sum, "b": c })).await?;
    ///     Ok(sum.content()[0].as_text().unwrap_or_default().to_owned())
    /// }
    /// # #[cfg(feature = "testing")]
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// # let service = Server::new("s", "1").tools(tools![add, add_with]).build().unwrap();
    /// # let mut client = mcp_runtime::testing::Client::new(&service, mcp_runtime::Revision::LATEST);
    /// # assert_eq!(client.call("add_with", json!({ "tool": "add", "numbers": [1, 2, 3] })).await.text(), "6");
    /// # });
    /// ```
    ///
    /// # Errors
    /// Fails if the server has no such tool, if the caller may not call it, or if the tool fails with an error. A result
    /// with [`is_error`](CallToolResult::is_error) is a result.
    pub fn call(&self, tool: impl AsRef<str>, arguments: impl Serialize) -> ToolCalling<'_, CallToolResult>
    where
        P: CanCall,
    {
        let tool = tool.as_ref();
        let find = |registry: &LiveRegistry| {
            registry.find(tool).ok_or_else(|| ToolError::from(format!("this server has no tool `{tool}`")))
        };
        let arguments = serde_json::to_string(&arguments);
        ToolCalling::new(begin(self.call_in_progress(), find, arguments), Ok)
    }

    /// Calls a tool of this server: the name of its function or its type, and `with` its arguments. See
    /// [`call`](Self::call).
    ///
    /// The arguments are those of the function, or of the phase `before`, without what these take by reference. Awaiting
    /// returns the value inside of the tool's output: a `T` for a `Json<T>` or a `Text<T>`, and no `Result`.
    ///
    /// ```
    /// use mcp_runtime::{Result, prelude::*};
    ///
    /// #[elicits]
    /// enum Order {
    ///     Confirm { confirmed: bool },
    /// }
    ///
    /// /// Orders an item, if the user confirms it.
    /// #[mcp_tool(replayable)]
    /// async fn order(ctx: &Ctx<Order>, item: String) -> Result<Text<bool>> {
    ///     Ok(Text(ctx.elicit::<Confirm>(format!("Order {item}?")).strict().await?.confirmed))
    /// }
    ///
    /// /// Orders all that is needed for a breakfast.
    /// #[mcp_tool(replayable)]
    /// async fn order_breakfast(ctx: &Ctx<Order>) -> Result<Text<usize>> {
    ///     let (tea, bread) = (ctx.call_tool(order::with("tea")), ctx.call_tool(order::with("bread")));
    ///     let (tea, bread) = tokio::try_join!(tea.into_future(), bread.into_future())?;
    ///     Ok(Text(usize::from(tea) + usize::from(bread)))
    /// }
    /// ```
    ///
    /// The context needs the forms of the called tool. A tool without these forms calls it with
    /// [`asks_apart`](PreparedCall::asks_apart).
    ///
    /// # Errors
    /// Fails like [`call`](Self::call), and if the result has [`is_error`](CallToolResult::is_error) or is not of this type.
    pub fn call_tool<F, O: CalledOutput>(&self, call: PreparedCall<F, O>) -> ToolCalling<'_, O::Value>
    where
        S: PassesOn<F>,
        P: CanCall,
    {
        ToolCalling::new(begin(self.call_in_progress(), call.find, call.arguments), O::read)
    }
}

/// A call of another tool, to await. See [`Ctx::call`] and [`Ctx::call_tool`].
#[must_use = "a tool is called only when this is awaited"]
pub struct ToolCalling<'a, T> {
    calling: Result<RunsOn>,
    read: fn(CallToolResult) -> Result<T>,
    context: PhantomData<&'a ()>,
}

impl<T> ToolCalling<'_, T> {
    fn new(calling: Result<RunsOn>, read: fn(CallToolResult) -> Result<T>) -> Self {
        Self { calling, read, context: PhantomData }
    }
}

impl<'a, T: 'a> IntoFuture for ToolCalling<'a, T> {
    type Output = Result<T>;
    type IntoFuture = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

    fn into_future(self) -> Self::IntoFuture {
        let Self { calling, read, .. } = self;
        Box::pin(async move { read(calling?.await?) })
    }
}

impl<T> fmt::Debug for ToolCalling<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCalling").finish_non_exhaustive()
    }
}
