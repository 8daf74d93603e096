//! `remote.call(…)`: a call of a tool of another server, to await.

use std::{fmt, pin::Pin, time::Duration};

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::{
    Remote, RemoteError,
    request::{Deaf, RequestOutcome, Sender},
};
use crate::{
    serve::client::{ClientRequest, RoundInput},
    wire::protocol::result::{CallToolResult, read_call_result},
};

impl Remote {
    /// Calls a tool of the server. `arguments` is written as a JSON object.
    ///
    /// In a tool, call it [within](RemoteCall::within) the call of the tool, so that the server can ask the user, report
    /// progress, and is told of a cancellation. Otherwise, awaiting the value calls the tool for a client that can do
    /// none of this.
    ///
    /// A server that declares tasks (`io.modelcontextprotocol/tasks`, since 2026-07-28) can answer with a task, and go on
    /// with the call. Every call declares that it follows tasks, whatever the client of the tool can do. It asks for the
    /// status as often as the server wants, and returns the result. A task can take longer than the
    /// [timeout](Remote::timeout), which is then the limit of the requests about the task. Dropping the future cancels the
    /// task.
    ///
    /// ```
    /// use mcp_runtime::{Server, prelude::*, remote::Remote};
    /// use serde_json::json;
    ///
    /// /// Adds two numbers.
    /// #[mcp_tool(read_only)]
    /// async fn add(a: i64, b: i64) -> Text<i64> {
    ///     Text(a + b)
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let service = Server::new("calculator", "1.0.0").tools(tools![add]).build().unwrap();
    /// let calculator = Remote::service(&service);
    /// let sum = calculator.call("add", json!({ "a": 1, "b": 2 })).await.unwrap();
    /// assert_eq!(sum.content()[0].as_text(), Some("3"));
    ///
    /// let error = calculator.call("multiply", json!({})).await.unwrap_err();
    /// assert!(error.to_string().contains("the server `calculator` refuses `tools/call`"));
    /// # }
    /// ```
    ///
    /// # Errors
    /// See [`RemoteError`]. A result with [`is_error`](CallToolResult::is_error) is a result.
    pub fn call(&self, tool: impl Into<String>, arguments: impl Serialize) -> RemoteCall {
        let arguments = to_raw_value(&arguments);
        RemoteCall { remote: self.clone(), tool: tool.into(), arguments, timeout: None, is_repeatable: None }
    }
}

/// A call of a tool of another server, to await. See [`Remote::call`].
#[must_use = "a tool is called only when this is awaited"]
pub struct RemoteCall {
    pub(super) remote: Remote,
    pub(super) tool: String,
    pub(super) arguments: serde_json::Result<Box<RawValue>>,
    pub(super) timeout: Option<Duration>,
    /// Whether the tool can be called twice, if this is known.
    pub(super) is_repeatable: Option<bool>,
}

impl RemoteCall {
    /// Sets how long this call can take without a reply and without progress. Default: that of the
    /// [remote](Remote::timeout).
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Says whether the tool can be called twice. Otherwise, the list of the server's tools is asked.
    pub(super) fn repeatable(self, is_repeatable: bool) -> Self {
        Self { is_repeatable: Some(is_repeatable), ..self }
    }

    /// Returns the request of the protocol.
    pub(super) fn request(&self) -> Result<ClientRequest, RemoteError> {
        let arguments = self.arguments.as_ref().map_err(|error| RemoteError::Arguments {
            server: self.remote.name().to_owned(),
            reason: error.to_string(),
        })?;
        Ok(ClientRequest::Tool { name: self.tool.clone(), arguments: Some(arguments.clone()) })
    }
}

impl IntoFuture for RemoteCall {
    type Output = Result<CallToolResult, RemoteError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let sender = Sender { timeout: self.timeout, ..Sender::default() };
            let asked = |question: &str| RemoteError::Asked {
                server: self.remote.name().to_owned(),
                question: question.to_owned(),
            };
            let (remote, request) = (&self.remote, self.request()?);
            let mut outcome = remote.send(&request, RoundInput::default(), sender.clone(), &Deaf).await?;
            if let RequestOutcome::Task(task) = outcome {
                outcome = Box::pin(remote.wait_for_task(task, sender)).await?;
            }
            match outcome {
                RequestOutcome::Result(result) => remote.read_result("tools/call", &result, read_call_result),
                RequestOutcome::Asks(questions, _) => {
                    Err(asked(questions.first().map_or("nothing", |question| &question.method)))
                }
                RequestOutcome::Asking(call) => Err(asked(&call.question.method)),
                RequestOutcome::Task(_) => unreachable!("the task has ended"),
            }
        })
    }
}

impl Remote {
    /// Reads the result of a method.
    ///
    /// # Errors
    /// Fails if `read` does: the server has answered with another shape.
    pub(crate) fn read_result<T>(
        &self,
        method: &str,
        result: &RawValue,
        read: impl FnOnce(&str) -> serde_json::Result<T>,
    ) -> Result<T, RemoteError> {
        read(result.get()).map_err(|error| RemoteError::Invalid {
            server: self.name().to_owned(),
            method: method.to_owned(),
            reason: error.to_string(),
        })
    }
}

impl fmt::Debug for RemoteCall {
    /// Omits the arguments, which can contain secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteCall")
            .field("server", &self.remote.name())
            .field("tool", &self.tool)
            .finish_non_exhaustive()
    }
}
