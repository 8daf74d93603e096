//! A method of a service, bound to its service. Contracts and actions call their methods through `BoundMethod`.

use std::{fmt, sync::Arc};

use super::{Arguments, ArgumentsError};
use crate::engine::call::{Call, running::Calling};

/// The function that runs one method of a service of the type `S`.
pub(crate) type RunFn<S> = fn(Arc<S>, Call, Arguments<'_>) -> Result<Calling, ArgumentsError>;

/// A service of any type, with the function that calls one method of the service.
pub(crate) struct BoundMethod(Box<dyn RunMethod>);

trait RunMethod: Send + Sync {
    fn run(&self, call: Call, arguments: Arguments<'_>) -> Result<Calling, ArgumentsError>;
}

struct Bound<S> {
    service: Arc<S>,
    run: RunFn<S>,
}

impl<S: Send + Sync> RunMethod for Bound<S> {
    fn run(&self, call: Call, arguments: Arguments<'_>) -> Result<Calling, ArgumentsError> {
        (self.run)(Arc::clone(&self.service), call, arguments)
    }
}

impl BoundMethod {
    pub(crate) fn new<S: Send + Sync + 'static>(service: &Arc<S>, run: RunFn<S>) -> Self {
        Self(Box::new(Bound { service: Arc::clone(service), run }))
    }

    pub(crate) fn run(&self, call: Call, arguments: Arguments<'_>) -> Result<Calling, ArgumentsError> {
        self.0.run(call, arguments)
    }
}

impl fmt::Debug for BoundMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoundMethod").finish_non_exhaustive()
    }
}
