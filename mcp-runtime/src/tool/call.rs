//! Gives a call access to its tool and to the server's state.

use super::{State, Tool, nested};
use crate::call::Call;

impl Call {
    /// Returns the called tool, if it is a `T`: the value given to the server, or a tool that it
    /// [wraps](Tool::wrapped).
    pub fn tool<T: Tool>(&self) -> Option<&T> {
        nested(&*self.0.server.registry.at(self.0.tool).tool).find_map(|tool| tool.downcast_ref())
    }

    /// Returns the server's value of this type, if it has one.
    pub fn state<T: State>(&self) -> Option<&T> {
        self.0.server.states.get()
    }
}
