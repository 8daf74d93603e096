//! Nothing, at no cost: what [`on`](super) is without the feature.

use std::sync::Arc;

use crate::{
    call::CallState,
    tool::CallToolResult,
    wire::{error::RpcError, id::Id, revision::Revision},
};

pub(crate) struct CallSpan;

/// Where a span would be left.
pub(crate) struct Entered;

pub(crate) fn request(_id: &Id<'_>, _method: &str, _revision: impl FnOnce() -> Option<Revision>) -> Entered {
    Entered
}

pub(crate) fn refused(_error: &RpcError) {}

impl CallSpan {
    pub(crate) fn new(_call: &Arc<CallState>) -> Self {
        Self
    }

    pub(crate) fn enter(&self) -> Entered {
        Entered
    }

    pub(crate) fn done(&self, _outcome: &Result<CallToolResult, RpcError>) {}

    pub(crate) fn cancelled(&self) {}
}
