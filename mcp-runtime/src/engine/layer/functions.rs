//! Layers from functions.

use std::fmt;

use super::{CallInfo, Layer, Next};
use crate::{Result, wire::protocol::result::CallToolResult};

/// A layer that runs a function around each call. [`from_fn`] creates it.
#[derive(Clone, Copy)]
pub struct FromFn<F>(F);

/// A layer that admits or rejects calls with a function. [`admit_fn`] creates it.
#[derive(Clone, Copy)]
pub struct AdmitFn<F>(F);

/// Creates a layer from a function that runs the call, as [`Layer::around`] does.
///
/// A closure that needs a value must clone it into the future:
/// `move |call, next| { let db = db.clone(); async move { … } }`. A type that implements [`Layer`] can borrow the value
/// instead.
///
/// ```
/// use mcp_runtime::{CallToolResult, Result, Server, layer::{self, CallInfo, Next}};
///
/// /// Adds the name of the caller to the result.
/// async fn sign(call: CallInfo, next: Next) -> Result<CallToolResult> {
///     let result = next.run().await?;
///     Ok(match call.principal() {
///         Some(principal) => result.meta("answered", principal.name()),
///         None => result,
///     })
/// }
///
/// let server = Server::new("s", "1.0.0").layer(layer::from_fn(sign));
/// ```
pub fn from_fn<F, R>(around: F) -> FromFn<F>
where
    F: Fn(CallInfo, Next) -> R + Send + Sync + 'static,
    R: Future<Output = Result<CallToolResult>> + Send,
{
    FromFn(around)
}

/// Creates a layer from a function that decides whether a call can begin, as [`Layer::admit`] does.
///
/// ```
/// use mcp_runtime::{Result, Server, layer::{self, CallInfo, Rejection}};
///
/// /// Rejects anonymous callers.
/// async fn known_only(call: CallInfo) -> Result<()> {
///     call.principal().map(drop).ok_or_else(|| Rejection::forbidden("anonymous callers cannot call tools").into())
/// }
///
/// let server = Server::new("s", "1.0.0").layer(layer::admit_fn(known_only));
/// ```
pub fn admit_fn<F, R>(admit: F) -> AdmitFn<F>
where
    F: Fn(CallInfo) -> R + Send + Sync + 'static,
    R: Future<Output = Result<()>> + Send,
{
    AdmitFn(admit)
}

impl<F, R> Layer for FromFn<F>
where
    F: Fn(CallInfo, Next) -> R + Send + Sync + 'static,
    R: Future<Output = Result<CallToolResult>> + Send,
{
    fn around(&self, call: &CallInfo, next: Next) -> impl Future<Output = Result<CallToolResult>> + Send {
        (self.0)(call.clone(), next)
    }
}

impl<F, R> Layer for AdmitFn<F>
where
    F: Fn(CallInfo) -> R + Send + Sync + 'static,
    R: Future<Output = Result<()>> + Send,
{
    fn admit(&self, call: &CallInfo) -> impl Future<Output = Result<()>> + Send {
        (self.0)(call.clone())
    }
}

impl<F> fmt::Debug for FromFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FromFn").finish()
    }
}

impl<F> fmt::Debug for AdmitFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AdmitFn").finish()
    }
}
