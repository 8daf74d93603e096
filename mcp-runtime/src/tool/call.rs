//! What a call knows of its tool and of the server's state.

use super::{
    State, Tool, nested,
    registry::{Registered, Registry},
    state::States,
};
use crate::call::{Call, CallState};

impl Call {
    /// The tool that was called: as it was given to the server, or what that [wraps](Tool::wrapped).
    pub fn tool<T: Tool>(&self) -> Option<&T> {
        nested(&*self.0.registered().tool).find_map(|tool| tool.downcast_ref())
    }

    /// The server's value of this type, where it has one.
    pub fn state<T: State>(&self) -> Option<&T> {
        self.0.server.get::<States>()?.get()
    }
}

impl CallState {
    /// The tool as the server keeps it.
    pub(crate) fn registered(&self) -> &Registered {
        Registry::of(&*self.server).at(self.tool)
    }
}
