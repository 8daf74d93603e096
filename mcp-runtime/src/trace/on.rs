//! Spans and events.

use std::{
    cell::RefCell,
    sync::{Arc, Weak},
};

use tracing::{Level, Span, debug, debug_span, error_span, field::Empty, level_enabled, span::EnteredSpan};

use crate::{
    call::CallState,
    tool::CallToolResult,
    wire::{
        error::{RpcError, shortened},
        id::Id,
        revision::Revision,
    },
};

/// The span of a call is called so: the layer looks for it.
pub(super) const CALL: &str = "mcp.call";

thread_local! {
    /// The call whose span is being made: a span's fields can hold no such thing.
    static MAKING: RefCell<Option<Weak<CallState>>> = const { RefCell::new(None) };
}

/// The span of a call: its tool and revision, never its arguments.
pub(crate) struct CallSpan(Span);

/// Enters the span of a request, until what this gives is dropped.
pub(crate) fn request(id: &Id<'_>, method: &str, revision: impl FnOnce() -> Option<Revision>) -> EnteredSpan {
    let span = debug_span!(
        "mcp.request",
        id = shortened(id.as_json()),
        method = shortened(method),
        era = Empty,
        revision = Empty
    );
    if !span.is_disabled()
        && let Some(revision) = revision()
    {
        span.record("era", if revision.is_modern() { "modern" } else { "legacy" });
        span.record("revision", revision.as_str());
    }
    span.entered()
}

/// A request is answered with an error.
pub(crate) fn refused(error: &RpcError) {
    debug!(code = error.code, error = error.message, "request refused");
}

impl CallSpan {
    pub(crate) fn new(call: &Arc<CallState>) -> Self {
        // No severity is meant: filters by level shall leave it in place, since events find their call by it.
        if !level_enabled!(Level::ERROR) {
            return Self(Span::none());
        }
        MAKING.set(Some(Arc::downgrade(call)));
        let span = error_span!("mcp.call", tool = call.tool_name(), revision = call.revision.as_str());
        MAKING.set(None);
        Self(span)
    }

    /// Enters the span, until what this gives is dropped.
    pub(crate) fn enter(&self) -> EnteredSpan {
        self.0.clone().entered()
    }

    pub(crate) fn done(&self, outcome: &Result<CallToolResult, RpcError>) {
        self.0.in_scope(|| match outcome {
            Ok(result) if result.is_error => debug!("call failed"),
            Ok(_) => debug!("call done"),
            Err(error) => debug!(code = error.code, error = error.message, "call refused"),
        });
    }

    pub(crate) fn cancelled(&self) {
        self.0.in_scope(|| debug!("call cancelled"));
    }
}

/// The call whose span is being made on this thread.
pub(super) fn making() -> Option<Weak<CallState>> {
    MAKING.with_borrow(Clone::clone)
}
