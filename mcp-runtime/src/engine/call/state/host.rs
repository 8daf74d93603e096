//! The interface through which calls use their server.

use std::{
    any::{Any, TypeId},
    fmt::Display,
};

use super::{call_target::CallTarget, request::Asker};
use crate::{
    base::error::ToolError,
    wire::protocol::{error::RpcError, result::CallToolResult, revision::Revision},
};

pub(crate) type CallOutcome = Result<CallToolResult, RpcError>;

/// The server of a call.
pub(crate) trait Host: Send + Sync {
    /// Maps an error of a tool or of a layer to the response of a call in this revision.
    fn map_error(&self, tool: &dyn CallTarget, revision: Revision, error: &ToolError) -> CallOutcome;

    /// Returns the server's `Implementation` object in the newest revision, as JSON text.
    fn info(&self) -> &str;

    /// Creates the value that sends questions to the client of a session. Returns `None` if the server has no
    /// multi-round support.
    fn asker(&self) -> Option<Box<dyn Asker>>;

    /// Returns the value of this type that another module, such as `durable`, stores in the server.
    fn find(&self, of: TypeId) -> Option<&(dyn Any + Send + Sync)>;

    /// Counts a run of a phase or step. Only the module `testing` reads the counts.
    fn note_run(&self, _what: &dyn Display) {}
}

impl dyn Host + '_ {
    /// Returns the value of type `T` that another module, such as `durable`, stores in the server.
    pub(crate) fn get<T: Any>(&self) -> Option<&T> {
        self.find(TypeId::of::<T>())?.downcast_ref()
    }
}
