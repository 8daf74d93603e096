//! Functions that belong to an item: a method that is bound to its service, and a function that an attribute names.

use std::{fmt, sync::Arc};

use super::{Arguments, ArgumentsError, StateNeed};
use crate::engine::call::{Call, running::CallFuture};

/// The function that runs one method of a service of the type `S`.
pub(crate) type RunFn<S> = fn(Arc<S>, Call, Arguments<'_>) -> Result<CallFuture, ArgumentsError>;

/// A function that runs one method of its service. Contracts and actions call their methods through it.
pub(crate) struct BoundMethod(Box<RunBound>);

type RunBound = dyn Fn(Call, Arguments<'_>) -> Result<CallFuture, ArgumentsError> + Send + Sync;

impl BoundMethod {
    pub(crate) fn new<S: Send + Sync + 'static>(service: &Arc<S>, run: RunFn<S>) -> Self {
        let service = Arc::clone(service);
        Self(Box::new(move |call, arguments| run(Arc::clone(&service), call, arguments)))
    }

    pub(crate) fn run(&self, call: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        (self.0)(call, arguments)
    }
}

impl fmt::Debug for BoundMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoundMethod").finish_non_exhaustive()
    }
}

/// A function that an attribute names, such as `#[complete(languages)]`, and the state that it takes by reference.
pub(crate) struct NamedFunction<R, O> {
    pub(crate) run: Arc<dyn Fn(R) -> O + Send + Sync>,
    pub(crate) states: Vec<StateNeed>,
}

impl<R, O> NamedFunction<R, O> {
    pub(crate) fn new(run: impl Fn(R) -> O + Send + Sync + 'static, states: Vec<StateNeed>) -> Self {
        Self { run: Arc::new(run), states: states.into_iter().map(StateNeed::of_function).collect() }
    }
}

impl<R, O> Clone for NamedFunction<R, O> {
    fn clone(&self) -> Self {
        Self { run: Arc::clone(&self.run), states: self.states.clone() }
    }
}

impl<R, O> fmt::Debug for NamedFunction<R, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NamedFunction").field("states", &self.states).finish_non_exhaustive()
    }
}
