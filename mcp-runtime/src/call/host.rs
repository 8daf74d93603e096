//! What a call needs of the server that answers it.

use std::{
    any::{Any, TypeId},
    sync::OnceLock,
    time::Duration,
};

use super::{CallState, call_id::CallId, ledger_time::LedgerTime, multi_round::MultiRound, running::Outcome};
use crate::error::ToolError;

/// The server of a call. A tool is named by its place in the registry.
pub(crate) trait Host: Send + Sync {
    fn tool_name(&self, tool: usize) -> &str;

    /// How long a call of this tool may run.
    fn timeout(&self, tool: usize) -> Option<Duration>;

    /// Whether a call of this tool may run twice: it is read-only or idempotent.
    fn may_run_again(&self, tool: usize) -> bool;

    /// Counts how often in a row the first poll of this tool's calls blocked its thread.
    fn note_first_poll(&self, tool: usize, blocked: bool);

    /// Where structured content of this tool has a number that JSON cannot carry.
    fn lost_number(&self, tool: usize, content: &str) -> Option<String>;

    /// What the client gets for an error of a tool or of a layer.
    fn map_error(&self, call: &CallState, error: &ToolError) -> Outcome;

    /// The server's `Implementation` object in the newest revision, as JSON text.
    fn info(&self) -> &str;

    /// The time by which calls are judged: the ledger's.
    fn time(&self) -> LedgerTime;

    /// See [`Ctx::idempotency_key`](crate::Ctx::idempotency_key).
    fn idempotency_key(&self, call: CallId, step: &str) -> String;

    /// Multi-round support, once a tool has declared that it asks or has asked.
    fn multi_round(&self) -> &OnceLock<&'static dyn MultiRound>;

    /// The value of this type that another floor keeps with the server.
    fn find(&self, of: TypeId) -> Option<&(dyn Any + Send + Sync)>;

    #[cfg(feature = "testing")]
    fn runs(&self) -> &super::runs::RunCounter;
}

impl dyn Host + '_ {
    /// The value of this type that another floor keeps with the server.
    pub(crate) fn get<T: Any>(&self) -> Option<&T> {
        self.find(TypeId::of::<T>())?.downcast_ref()
    }
}
