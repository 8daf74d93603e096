//! Scripted calls and completions. They run when they are awaited.

pub(crate) mod call;

use std::{
    fmt,
    panic::Location,
    pin::Pin,
    task::{Context, Poll},
};

use self::call::ScriptedCall;
use super::{Client, call_driver};
use crate::{
    edge::testing::{
        observed::outcome::Outcome,
        script::{Script, request::ScriptedRequest},
    },
    serve::client::{ClientRequest, CompletedArgument},
};

/// A scripted call in progress.
pub struct OutcomeFuture<'a>(Pin<Box<dyn Future<Output = Result<Outcome, String>> + Send + 'a>>);

/// The completion of an argument. Await this value to get the [`Outcome`].
#[derive(Debug)]
#[must_use = "a completion begins when it is awaited"]
pub struct ScriptedCompletion<'a> {
    client: &'a mut Client,
    argument: CompletedArgument,
    at: &'static Location<'static>,
}

impl<'a> ScriptedCompletion<'a> {
    pub(crate) fn new(client: &'a mut Client, argument: CompletedArgument, at: &'static Location<'static>) -> Self {
        Self { client, argument, at }
    }

    /// Adds the value of another argument that the user has already filled in. Servers use this value since 2025-06-18.
    pub fn filled(mut self, argument: &str, value: &str) -> Self {
        self.argument.filled.insert(argument.to_owned(), value.into());
        self
    }
}

impl<'a> IntoFuture for ScriptedCall<'a> {
    type Output = Outcome;
    type IntoFuture = OutcomeFuture<'a>;

    fn into_future(self) -> OutcomeFuture<'a> {
        OutcomeFuture(Box::pin(call_driver::run(self.client, self.request, self.script)))
    }
}

impl<'a> IntoFuture for ScriptedCompletion<'a> {
    type Output = Outcome;
    type IntoFuture = OutcomeFuture<'a>;

    fn into_future(self) -> OutcomeFuture<'a> {
        let request = ScriptedRequest::new(ClientRequest::Completion(self.argument), self.at);
        OutcomeFuture(Box::pin(call_driver::run(self.client, request, Script::default())))
    }
}

impl Future for OutcomeFuture<'_> {
    type Output = Outcome;

    /// Panics if the script does not fit the call. Only this function panics. The test's own `.await` calls this
    /// function, so the panic points at the line of the test.
    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        match self.0.as_mut().poll(cx) {
            Poll::Ready(Ok(outcome)) => Poll::Ready(outcome),
            Poll::Ready(Err(misfit)) => panic!("{misfit}"),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl fmt::Debug for OutcomeFuture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutcomeFuture").finish_non_exhaustive()
    }
}
