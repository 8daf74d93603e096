//! A method of a service, bound to its service. Contracts and actions call their methods through `BoundMethod`.

use std::{fmt, sync::Arc};

use super::{Arguments, ArgumentsError};
use crate::engine::call::{Call, running::CallFuture};

/// The function that runs one method of a service of the type `S`.
pub(crate) type RunFn<S> = fn(Arc<S>, Call, Arguments<'_>) -> Result<CallFuture, ArgumentsError>;

/// A function that runs one method of its service.
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
