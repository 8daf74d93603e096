//! Middleware for tools: code that runs around every call of a server.
//!
//! A [`Layer`] decides whether a call can begin, and sees its result. Use it for logs, audits, rate limits, caches and
//! feature flags. A layer works for every tool (including handoffs), in every revision and over every transport. A
//! server without layers has no overhead.
//!
//! ```
//! use std::time::{Duration, Instant};
//!
//! use mcp_runtime::{
//!     CallToolResult, Result,
//!     layer::{self, CallInfo, Next, Rejection},
//!     prelude::*,
//! };
//!
//! /// Adds two numbers.
//! #[mcp_tool(read_only)]
//! async fn add(a: i64, b: i64) -> Text<i64> {
//!     Text(a + b)
//! }
//!
//! /// Logs each call when it ends.
//! async fn log(call: CallInfo, next: Next) -> Result<CallToolResult> {
//!     let start = Instant::now();
//!     let outcome = next.run().await;
//!     let failed = !outcome.as_ref().is_ok_and(|result| !result.is_error());
//!     eprintln!("{} took {:?}, failed: {failed}", call.tool(), start.elapsed());
//!     outcome
//! }
//!
//! /// Rejects calls while the server is under maintenance.
//! async fn check_maintenance(_call: CallInfo) -> Result<()> {
//!     if std::path::Path::new("/run/maintenance").exists() {
//!         return Err(Rejection::unavailable("under maintenance", Duration::from_secs(60)).into());
//!     }
//!     Ok(())
//! }
//!
//! let server = Server::new("calculator", "1.0.0")
//!     .layer(layer::from_fn(log))
//!     .layer(layer::admit_fn(check_maintenance))
//!     .tools(tools![add]);
//! # let service = server.build().unwrap();
//! # #[cfg(feature = "testing")]
//! # tokio_test(async move {
//! #     let mut client = mcp_runtime::testing::Client::new(&service, mcp_runtime::Revision::LATEST);
//! #     assert_eq!(client.call("add", serde_json::json!({ "a": 1, "b": 2 })).await.text(), "3");
//! # });
//! # #[cfg(feature = "testing")]
//! # fn tokio_test(test: impl Future) {
//! #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
//! # }
//! ```
//!
//! # Order
//!
//! The layer added first is the outermost: it runs first, and it sees the results of all others, rejections included.
//! Layers surround all tools of the server, whether a tool was added before or after them. If a layer concerns only
//! some tools, it must check [`CallInfo::tool`].
//!
//! Before the layers run, the server checks the request, the tool's name, the caller's scopes and the client's
//! capabilities. If a check fails, the client gets a protocol error and no layer runs. After the layers, the server
//! checks the arguments against the schema and runs the tool.
//!
//! | event | what layers see |
//! | --- | --- |
//! | unknown tool, malformed request, missing scope or capability | nothing |
//! | arguments that do not fit the tool | a result with [`is_error`](crate::CallToolResult::is_error) |
//! | an error of the tool | `Err`; [`Server::error_mapper`](crate::Server::error_mapper) has not run yet |
//! | a panic of the tool or of an inner layer | a result with `is_error` |
//! | the tool exceeds its `timeout` | a result with `is_error`; a layer that is still waiting is dropped |
//! | cancellation | nothing: the layer's future is dropped, unless `after` or a step of the call has begun |
//! | a repeated request, answered with the recorded reply | nothing |
//!
//! # Calls of several rounds
//!
//! A call that asks its client is one call, however many requests it takes. [`Layer::admit`] runs once, in the first
//! request. The future of [`Layer::around`] lives as long as the call: it waits in [`Next::run`] while the user
//! answers. A duration measured around `Next::run` includes the user's time, and a timeout around it interrupts the
//! user. Use the tool's `timeout` instead, which counts running time only.
//!
//! A call is rebuilt if it continues in another process or its future was evicted. Then `around` runs again (see
//! [`CallInfo::is_resumed`]), and `admit` does not. So the code before `next.run()` can run several times per call. The
//! code after it runs in the process in which the call ends. It runs once, unless the client disconnects just before
//! the result of a tool without `after` is recorded.
//!
//! | a layer in a later round | effect |
//! | --- | --- |
//! | returns a result, or an error that is not a [`Rejection`] | the call ends with it, and the result is recorded |
//! | returns a [`Rejection`] | the client gets the error; the round stays open, and the client can retry the same request |
//! | panics | the call ends with an error result |
//!
//! # Errors
//!
//! An error of a layer is treated like an error of the tool: it becomes a result with `isError`, which the model reads.
//! A [`Rejection`] becomes a protocol error with an HTTP status instead. The host reads that error.
//!
//! Some errors that a layer sees do not come from the tool, for example if another instance took the call over or the
//! ledger is unavailable. The server later converts these errors to protocol errors. So return every error that you do
//! not handle, without changes.

mod call;
mod functions;
mod next;
mod rejection;

pub(crate) use self::next::{Layers, Stack};
pub use self::{
    call::CallInfo,
    functions::{AdmitFn, FromFn, admit_fn, from_fn},
    next::Next,
    rejection::Rejection,
};
use crate::{Result, wire::protocol::result::CallToolResult};

/// Code that runs around every call of a server; see the [module](self).
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use mcp_runtime::{CallToolResult, Result, Server, layer::{CallInfo, Layer, Next}};
///
/// /// Counts the calls that begin, and those that fail.
/// #[derive(Default)]
/// struct Counter {
///     begun: AtomicU64,
///     failed: AtomicU64,
/// }
///
/// impl Layer for Counter {
///     async fn admit(&self, _call: &CallInfo) -> Result<()> {
///         self.begun.fetch_add(1, Ordering::Relaxed);
///         Ok(())
///     }
///
///     async fn around(&self, _call: &CallInfo, next: Next) -> Result<CallToolResult> {
///         let outcome = next.run().await;
///         if !outcome.as_ref().is_ok_and(|result| !result.is_error()) {
///             self.failed.fetch_add(1, Ordering::Relaxed);
///         }
///         outcome
///     }
/// }
///
/// let server = Server::new("counted", "1.0.0").layer(Counter::default());
/// ```
pub trait Layer: Send + Sync + 'static {
    /// Decides whether a call can begin. Runs once per call, before [`around`](Self::around). Default: admits every
    /// call.
    ///
    /// # Errors
    /// Returns an error if the call must not begin. The call ends with this error, which the outer layers see.
    fn admit(&self, call: &CallInfo) -> impl Future<Output = Result<()>> + Send {
        let _ = call;
        std::future::ready(Ok(()))
    }

    /// Runs the call with [`Next::run`]. This method runs again when the call is rebuilt in a later round. Default:
    /// runs the call.
    ///
    /// The method can replace the result of `next`, or return without running `next`.
    ///
    /// # Errors
    /// Returns the errors of `next`, or an error of the layer itself.
    fn around(&self, call: &CallInfo, next: Next) -> impl Future<Output = Result<CallToolResult>> + Send {
        let _ = call;
        next.run()
    }
}
