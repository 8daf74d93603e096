//! The interface through which calls use their server.

use std::{
    any::{Any, TypeId},
    sync::OnceLock,
};

use super::{CallState, multi_round::MultiRound, running::CallOutcome};
use crate::base::error::ToolError;

/// The server of a call.
pub(crate) trait Host: Send + Sync {
    /// Maps an error of a tool or of a layer to the response.
    fn map_error(&self, call: &CallState, error: &ToolError) -> CallOutcome;

    /// Returns the server's `Implementation` object in the newest revision, as JSON text.
    fn info(&self) -> &str;

    /// Multi-round support. It is set as soon as a tool asks, or declares that it asks.
    fn multi_round(&self) -> &OnceLock<&'static dyn MultiRound>;

    /// Returns the value of this type that another module, such as `durable`, stores in the server.
    fn find(&self, of: TypeId) -> Option<&(dyn Any + Send + Sync)>;

    #[cfg(feature = "testing")]
    fn runs(&self) -> &super::run_counter::RunCounter;
}

impl dyn Host + '_ {
    /// Returns the value of type `T` that another module, such as `durable`, stores in the server.
    pub(crate) fn get<T: Any>(&self) -> Option<&T> {
        self.find(TypeId::of::<T>())?.downcast_ref()
    }
}
