//! The completion of an argument.

use std::panic::Location;

use super::{Client, call_driver, scripted::OutcomeFuture};
use crate::{
    edge::testing::{
        observed::outcome::Outcome,
        script::{Script, request::ScriptedRequest},
    },
    serve::client::{ClientRequest, CompletedArgument},
};

/// The completion of an argument. Await this value to get the [`Outcome`](Outcome).
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

impl<'a> IntoFuture for ScriptedCompletion<'a> {
    type Output = Outcome;
    type IntoFuture = OutcomeFuture<'a>;

    fn into_future(self) -> OutcomeFuture<'a> {
        let request = ScriptedRequest::new(ClientRequest::Completion(self.argument), self.at);
        OutcomeFuture::new(call_driver::run(self.client, request, Script::default()))
    }
}
