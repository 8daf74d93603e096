//! The functions of the server that its calls use.

use std::{
    any::{Any, TypeId},
    sync::OnceLock,
    time::Duration,
};

use super::{CallState, multi_round::MultiRound, operation::Operation, running::CallOutcome};
use crate::error::ToolError;

/// The server of a call. In all methods, `tool` is the tool's index in the registry.
pub(crate) trait Host: Send + Sync {
    fn tool_name(&self, tool: usize) -> &str;

    /// Returns the kind of request that runs this tool. A prompt is registered like a tool, but `prompts/get` runs it.
    fn operation(&self, tool: usize) -> Operation;

    /// Returns the timeout of a call of this tool.
    fn timeout(&self, tool: usize) -> Option<Duration>;

    /// Returns whether a call of this tool is allowed to run twice, because the tool is read-only or idempotent.
    fn may_run_again(&self, tool: usize) -> bool;

    /// Records whether the first poll of a call of this tool blocked its thread.
    fn note_first_poll(&self, tool: usize, blocked: bool);

    /// Returns the path of a number in structured content that JSON cannot represent: NaN or infinity.
    fn non_finite_number(&self, tool: usize, content: &str) -> Option<String>;

    /// Maps an error of a tool or of a layer to the response.
    fn map_error(&self, call: &CallState, error: &ToolError) -> CallOutcome;

    /// Returns the server's `Implementation` object in the newest revision, as JSON text.
    fn info(&self) -> &str;

    /// Returns multi-round support. It is set when a tool asks for the first time, or when a tool that declares
    /// questions is registered.
    fn multi_round(&self) -> &OnceLock<&'static dyn MultiRound>;

    /// Returns the value of this type that another module, such as `durable`, stores in the server.
    fn find(&self, of: TypeId) -> Option<&(dyn Any + Send + Sync)>;

    #[cfg(feature = "testing")]
    fn runs(&self) -> &super::runs::RunCounter;
}

impl dyn Host + '_ {
    /// Returns the value of type `T` that another module, such as `durable`, stores in the server.
    pub(crate) fn get<T: Any>(&self) -> Option<&T> {
        self.find(TypeId::of::<T>())?.downcast_ref()
    }
}
