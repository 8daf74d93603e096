//! Functions that an attribute names, such as `#[complete(languages)]`.

use std::{fmt, sync::Arc};

use super::state::StateNeed;

/// A function that an attribute names, and the state that it takes by reference.
pub(crate) struct NamedFunction<R, O> {
    run: Arc<dyn Fn(R) -> O + Send + Sync>,
    states: Vec<StateNeed>,
}

impl<R, O> NamedFunction<R, O> {
    pub(crate) fn new(run: impl Fn(R) -> O + Send + Sync + 'static, states: Vec<StateNeed>) -> Self {
        Self { run: Arc::new(run), states }
    }

    pub(crate) fn run(&self, request: R) -> O {
        (self.run)(request)
    }

    pub(crate) fn states(&self) -> &[StateNeed] {
        &self.states
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
