//! Gives a call access to its tool and to the server's state.

use super::{State, Tool, nested, registered::RegisteredTool, state::States};
use crate::engine::call::{Call, CallState};

impl Call {
    /// Returns the called tool if it is a `T`. Otherwise, returns the first `T` among the tools that the called tool
    /// [wraps](Tool::wrapped), if there is one. The called tool is the value that the author added to the server.
    pub fn tool<T: Tool>(&self) -> Option<&T> {
        nested(self.0.registered().item()).find_map(|tool| tool.downcast_ref())
    }

    /// Returns the server's value of this type, if the server has one.
    pub fn state<T: State>(&self) -> Option<&T> {
        self.0.server.get::<States>()?.get()
    }
}

impl CallState {
    /// Returns the called tool, with its definition and its schemas.
    pub(crate) fn registered(&self) -> &RegisteredTool {
        RegisteredTool::of(&*self.tool)
    }
}
