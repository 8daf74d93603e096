//! What a call knows of its tool and of the server's state.

use super::{State, Tool, nested};
use crate::call::Call;

impl Call {
    /// The tool that was called: as it was given to the server, or what that [wraps](Tool::wrapped).
    pub fn tool<T: Tool>(&self) -> Option<&T> {
        nested(&*self.0.server.registry.at(self.0.tool).tool).find_map(|tool| tool.downcast_ref())
    }

    /// The server's value of this type, where it has one.
    pub fn state<T: State>(&self) -> Option<&T> {
        self.0.server.states.get()
    }
}
