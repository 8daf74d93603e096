//! Middleware for tools: code that runs around every call of a server.
//!
//! A [`Layer`] decides whether a call may begin, and sees its result: for logs and audits, rate limits, caches,
//! feature flags. It works for every tool, handoffs included, in every revision and over every transport. A server
//! without layers pays nothing for them.
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
//! The layer added first is the outermost: it runs first, and it sees what all others did, rejections included. Layers
//! surround all tools of the server, whether a tool was added before or after them; a layer for some tools looks at
//! [`CallInfo::tool`].
//!
//! Layers run after the checks that the protocol answers with an error: the tool exists, the request is well formed,
//! the caller has the scopes, the client has the capabilities. They run before the arguments are checked against the
//! schema, and before anything of the tool.
//!
//! | event | what layers see |
//! | --- | --- |
//! | unknown tool, malformed request, missing scope or capability | nothing |
//! | arguments that do not fit the tool | a result with [`is_error`](crate::CallToolResult::is_error) |
//! | an error of the tool | `Err`; [`Server::error_mapper`] has not run yet |
//! | a panic of the tool or of an inner layer | a result with `is_error` |
//! | the end of the tool's `timeout` | a result with `is_error`; a layer that waits after that is dropped |
//! | cancellation | nothing: the layer's future is dropped, unless `after` or a step of the call has begun |
//! | a request that is answered with the recorded reply of an earlier one | nothing |
//!
//! # Calls of several rounds
//!
//! A call that asks its client is one call, however many requests it takes. [`Layer::admit`] runs once, in the first
//! request. The future of [`Layer::around`] lives as long as the call's: it waits in [`Next::run`] while the user
//! answers, so a time measured around it contains the time of the user, and a timeout there cuts the user off. Use the
//! tool's `timeout` instead, which counts running time alone.
//!
//! When a call goes on in another process, or its future was evicted, the call is rebuilt: `around` begins again, with
//! [`CallInfo::is_resumed`], and `admit` does not. So the code before `next.run()` may run several times in a call. The
//! code after it runs where the call ends: once, unless the client is cut off in the moment before the result of a tool
//! without `after` is recorded.
//!
//! | what a layer does in a later round | what happens |
//! | --- | --- |
//! | returns a result, or an error that is not a [`Rejection`] | the call ends with that, and the result is recorded |
//! | returns a [`Rejection`] | the client gets the error; the round stays open, and the same request may come again |
//! | panics | the call ends with an error result |
//!
//! # Errors
//!
//! An error of a layer is treated as an error of the tool: a result with `isError`, which the model reads. A
//! [`Rejection`] is an error of the protocol instead, with its status over HTTP, which the host reads.
//!
//! Some errors that a layer sees are not the tool's: the call was taken over by another instance, or the ledger is
//! away. They become errors of the protocol later. So return an error that you do not handle as it is.

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
use crate::{Result, protocol::result::CallToolResult};

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
    /// Decides whether a call may begin. Runs once per call, before [`around`](Self::around). Default: every call may.
    ///
    /// # Errors
    /// The call may not begin: it ends with this error, and the outer layers see it.
    fn admit(&self, call: &CallInfo) -> impl Future<Output = Result<()>> + Send {
        let _ = call;
        std::future::ready(Ok(()))
    }

    /// Runs the call, with [`Next::run`]. Runs again when the call is rebuilt. Default: runs the call.
    ///
    /// It may return another result than that of `next`, or one without running `next` at all.
    ///
    /// # Errors
    /// Those of `next`, or the layer's own.
    fn around(&self, call: &CallInfo, next: Next) -> impl Future<Output = Result<CallToolResult>> + Send {
        let _ = call;
        next.run()
    }
}
