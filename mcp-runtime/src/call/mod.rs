//! The heart: one call as its author sees it, and what drives it.

mod context;

use std::sync::Arc;

pub use self::context::{Ctx, NoForms, Talk};
use crate::tool::state::{State, States};

/// One call in progress, as generated code hands it on. Authors see it as [`Ctx`].
#[derive(Clone)]
pub struct Call(pub(crate) Arc<CallState>);

/// What lives as long as a call.
pub(crate) struct CallState {
    pub(crate) states: Arc<States>,
}

impl Call {
    /// The context of this call.
    pub fn context<S, P>(&self) -> Ctx<S, P> {
        Ctx::new(self.clone())
    }

    /// The server's value of this type, where it has one.
    pub fn state<T: State>(&self) -> Option<&T> {
        self.0.states.get()
    }
}
