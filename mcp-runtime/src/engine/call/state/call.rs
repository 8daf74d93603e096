//! One call, as generated code sees it: its phases, and what `before` hands to `after`.

use std::{
    fmt,
    sync::{Arc, atomic::Ordering},
};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::to_raw_value;

use super::{CallState, call_target::CallTarget, host::Host, nested::NestedCall, request::Request};
use crate::base::error::ToolError;

/// One call in progress, as generated code sees it. Authors see a call as [`Ctx`](crate::Ctx).
/// The state is that of the call that the client made. A call within it has a part of that state for itself.
#[derive(Clone)]
pub struct Call(pub(crate) Arc<CallState>, pub(super) Option<Arc<NestedCall>>);

/// The recorded result of `before` has a different type, because a different version of the tool wrote it.
#[derive(Debug, thiserror::Error)]
#[error("the stored handoff cannot be read ({0}): its type changed; send the request again without `requestState`")]
pub(crate) struct HandoffChanged(serde_json::Error);

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("tool", &self.target().name()).finish_non_exhaustive()
    }
}

impl Call {
    pub(crate) fn new(server: Arc<dyn Host>, tool: Arc<dyn CallTarget>, request: Request) -> Self {
        Self::described_as(None, server, tool, request)
    }

    /// Creates a call whose errors call the item `described`, or name its kind and its name.
    pub(crate) fn described_as(
        described: Option<Arc<str>>,
        server: Arc<dyn Host>,
        tool: Arc<dyn CallTarget>,
        request: Request,
    ) -> Self {
        Self::of(Arc::new(CallState::new(described, server, tool, request)))
    }

    /// Returns the call that the client made.
    pub(crate) fn of(state: Arc<CallState>) -> Self {
        Self(state, None)
    }

    /// Returns the recorded result of `before`, if the call is rebuilt from its journal.
    ///
    /// # Errors
    /// Fails if the recorded value cannot be read as an `H`.
    pub fn kept_handoff<H: DeserializeOwned>(&self) -> Result<Option<H>, ToolError> {
        self.0.conversation.handoff().map(|kept| Self::read_handoff(kept.get())).transpose()
    }

    pub(crate) fn read_handoff<H: DeserializeOwned>(kept: &str) -> Result<H, ToolError> {
        serde_json::from_str(kept).map_err(|error| HandoffChanged(error).into())
    }

    /// Records the result of `before`, if the call can be rebuilt.
    ///
    /// # Errors
    /// Fails if the value cannot be written as JSON.
    pub fn keep_handoff<H: Serialize>(&self, handoff: H) -> Result<H, ToolError> {
        self.0.note_run(&"`before`");
        if self.0.revision.is_modern() {
            let kept = to_raw_value(&handoff);
            let kept = kept.map_err(|error| format!("the result of `before` cannot be written as JSON: {error}"))?;
            self.0.tell_application(|application| application.handed_off(kept.get()));
            self.0.conversation.keep_handoff(Some(kept));
        } else {
            self.0.conversation.keep_handoff(None);
        }
        Ok(handoff)
    }

    /// Marks the beginning of the whole tool, as [`begin`](Self::begin) marks that of `after`.
    ///
    /// # Errors
    /// Fails if another instance has begun it, or if the ledger failed.
    pub(crate) async fn begin_tool(&self) -> Result<(), ToolError> {
        self.0.begin().await
    }

    /// Whether the whole tool must not begin twice.
    pub(crate) fn begins_once(&self) -> bool {
        self.nested().is_none() && self.0.begins_once.load(Ordering::Relaxed)
    }

    /// Marks the beginning of the phase `after`. From here on, the call runs to its end, even if its client
    /// disconnects.
    ///
    /// # Errors
    /// Fails if another instance has begun `after`, or if the ledger failed.
    pub async fn begin(&self) -> Result<(), ToolError> {
        self.0.begin().await?;
        self.0.note_run(&"`after`");
        Ok(())
    }
}
