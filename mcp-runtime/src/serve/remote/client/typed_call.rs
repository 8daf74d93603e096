//! `remote.call_tool(…)`: a call whose arguments and result have types.

use std::{fmt, marker::PhantomData, pin::Pin, time::Duration};

use super::{Remote, call::RemoteCall, within::RemoteCallWithin};
use crate::{
    base::error::Result,
    engine::call::{CanCall, Ctx},
    serve::remote::typed::{ReadRemote, RemoteTool},
};

impl Remote {
    /// Calls a tool whose arguments have a type, which [`remote_tools!`](crate::remote_tools) generates. Awaiting returns
    /// the value that its output schema describes. See [`call`](Self::call).
    ///
    /// # Errors
    /// Fails like [`call`](Self::call), if the tool has failed, and if its result is not of this type.
    #[expect(clippy::needless_pass_by_value, reason = "a call is written as one expression")]
    pub fn call_tool<T: RemoteTool>(&self, arguments: T) -> RemoteToolCall<T::Output> {
        RemoteToolCall { call: self.call(T::NAME, &arguments), output: PhantomData }
    }
}

/// A call of a tool of another server, to await. See [`Remote::call_tool`].
#[must_use = "a tool is called only when this is awaited"]
pub struct RemoteToolCall<O> {
    call: RemoteCall,
    output: PhantomData<fn() -> O>,
}

/// A call of another server's tool within a call, to await. See [`RemoteToolCall::within`].
#[must_use = "a tool is called only when this is awaited"]
pub struct RemoteToolCallWithin<'a, O> {
    call: RemoteCallWithin<'a>,
    output: PhantomData<fn() -> O>,
}

impl<O> RemoteToolCall<O> {
    /// See [`RemoteCall::timeout`].
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { call: self.call.timeout(timeout), ..self }
    }

    /// See [`RemoteCall::within`].
    pub fn within<S, P: CanCall>(self, ctx: &Ctx<S, P>) -> RemoteToolCallWithin<'_, O> {
        RemoteToolCallWithin { call: self.call.within(ctx), output: PhantomData }
    }
}

impl<O: ReadRemote> IntoFuture for RemoteToolCall<O> {
    type Output = Result<O::Value>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        let Self { call, .. } = self;
        Box::pin(async move { O::read(call.await?) })
    }
}

impl<'a, O: ReadRemote> IntoFuture for RemoteToolCallWithin<'a, O> {
    type Output = Result<O::Value>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;

    fn into_future(self) -> Self::IntoFuture {
        let Self { call, .. } = self;
        Box::pin(async move { O::read(call.await?) })
    }
}

impl<O> fmt::Debug for RemoteToolCall<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.call.fmt(f)
    }
}

impl<O> fmt::Debug for RemoteToolCallWithin<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.call.fmt(f)
    }
}
