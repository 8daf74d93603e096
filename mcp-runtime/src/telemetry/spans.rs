//! Spans and events. Their names are those of OpenTelemetry's conventions for MCP, where it has one.

use std::{
    cell::RefCell,
    sync::{Arc, Weak},
    time::Duration,
};

pub(super) use tracing::span::EnteredSpan;
use tracing::{Level, Span, debug, error, error_span, field::Empty, info_span, level_enabled, warn};

use super::{context::TraceContext, outcome::Outcome, request};
use crate::{
    call::{CallState, request::Peer},
    protocol::{id::Id, params::Meta, revision::Revision, scan::read_string, text::shortened},
};

/// The span of a call is called so: the layer looks for it.
pub(super) const CALL: &str = "mcp.call";

thread_local! {
    /// The call whose span is being made: a span's fields can hold no such thing.
    static MAKING: RefCell<Option<Weak<CallState>>> = const { RefCell::new(None) };
}

/// The span of a request, and the trace its client is in.
pub(super) struct RequestSpan {
    span: Span,
    context: Option<TraceContext>,
}

/// The span of a round of a call: its tool and revision, never its arguments.
pub(super) struct CallSpan(Span);

impl RequestSpan {
    pub(super) fn new(peer: &Peer, id: &Id<'_>, method: &str, meta: &Meta<'_>, revision: Option<Revision>) -> Self {
        let context = TraceContext::of(meta, peer);
        let method = &*shortened(method);
        let span = info_span!(
            "mcp.request",
            otel.name = method,
            otel.kind = "server",
            otel.status_code = Empty,
            mcp.method.name = method,
            jsonrpc.request.id = Empty,
            mcp.protocol.version = revision.map(Revision::as_str),
            era = revision.map(era),
            mcp.session.id = Empty,
            network.transport = Empty,
            network.protocol.name = Empty,
            gen_ai.tool.name = Empty,
            gen_ai.operation.name = Empty,
            trace_id = Empty,
            parent_id = Empty,
            rpc.response.status_code = Empty,
            "error.type" = Empty,
            outcome = Empty,
        );
        if !span.is_disabled() {
            let id = id.as_json();
            let text = read_string(id);
            span.record("jsonrpc.request.id", &*shortened(text.as_deref().unwrap_or(id)));
            record_transport(&span, peer);
            if let Some(context) = &context {
                context.record_on(&span);
            }
        }
        Self { span, context }
    }

    pub(super) fn is_disabled(&self) -> bool {
        self.span.is_disabled()
    }

    pub(super) fn context(&self) -> Option<&TraceContext> {
        self.context.as_ref()
    }

    /// Enters the span, until what this gives is dropped.
    pub(super) fn enter(&self) -> EnteredSpan {
        self.span.clone().entered()
    }

    pub(super) fn revision(&self, revision: Revision) {
        self.span.record("mcp.protocol.version", revision.as_str());
        self.span.record("era", era(revision));
    }

    pub(super) fn tool(&self, name: &str) {
        if !self.span.is_disabled() {
            self.span.record("gen_ai.tool.name", name);
            self.span.record("gen_ai.operation.name", "execute_tool");
            // Its layer takes no name from a field any more.
            #[cfg(feature = "opentelemetry")]
            super::otel::rename(&self.span, format!("tools/call {name}"));
        }
    }

    pub(super) fn end(&self, outcome: Outcome) {
        if self.span.is_disabled() {
            return;
        }
        record(&self.span, outcome);
        self.span.in_scope(|| match outcome {
            // Why is for the client to read: it may quote what the client sent.
            Outcome::Error(code) => debug!(code, "request refused"),
            _ => debug!("request {}", outcome.as_str()),
        });
    }
}

impl CallSpan {
    pub(super) fn new(call: &Arc<CallState>, round: u32) -> Self {
        // No severity is meant: filters by level shall leave it in place, since events find their call by it.
        if !level_enabled!(Level::ERROR) {
            return Self::none();
        }
        let tool = call.tool_name();
        MAKING.set(Some(Arc::downgrade(call)));
        let span = error_span!(
            "mcp.call",
            otel.name = Empty,
            otel.kind = "internal",
            otel.status_code = Empty,
            gen_ai.operation.name = "execute_tool",
            gen_ai.tool.name = tool,
            mcp.protocol.version = call.revision.as_str(),
            era = era(call.revision),
            round,
            trace_id = Empty,
            parent_id = Empty,
            "error.type" = Empty,
            outcome = Empty,
            duration_ms = Empty,
        );
        MAKING.set(None);
        if !span.is_disabled() {
            span.record("otel.name", format!("execute_tool {tool}"));
            // Where a filter has left out the request, the call stands for it.
            if !request::has_span()
                && let Some(context) = request::context()
            {
                context.record_on(&span);
            }
        }
        Self(span)
    }

    /// None: for a call that is in no round.
    pub(super) fn none() -> Self {
        Self(Span::none())
    }

    pub(super) fn enter(&self) -> EnteredSpan {
        self.0.clone().entered()
    }

    pub(super) fn end(&self, outcome: Outcome, took: Duration) {
        if self.0.is_disabled() {
            return;
        }
        record(&self.0, outcome);
        self.0.record("duration_ms", milliseconds(took));
        self.0.in_scope(|| match outcome {
            Outcome::Done => debug!("call done"),
            Outcome::Asked => debug!("call asks its client"),
            Outcome::ToolError => debug!("call failed"),
            Outcome::Error(code) => debug!(code, "call refused"),
            Outcome::Panicked => error!("call panicked"),
            Outcome::TimedOut => warn!("call timed out"),
            Outcome::NotBegun => debug!("call not begun"),
            Outcome::Cancelled | Outcome::Repeated => debug!("call cancelled"),
        });
    }
}

/// The call whose span is being made on this thread.
pub(super) fn making() -> Option<Weak<CallState>> {
    MAKING.with_borrow(Clone::clone)
}

fn era(revision: Revision) -> &'static str {
    if revision.is_modern() { "modern" } else { "legacy" }
}

fn record(span: &Span, outcome: Outcome) {
    span.record("outcome", outcome.as_str());
    if let Some(error) = outcome.error_type() {
        span.record("error.type", &*error);
        span.record("otel.status_code", "ERROR");
        if let Outcome::Error(_) = outcome {
            span.record("rpc.response.status_code", &*error);
        }
    }
}

/// In steps of a microsecond.
fn milliseconds(took: Duration) -> f64 {
    took.as_micros() as f64 / 1000.0
}

#[cfg(feature = "http")]
fn record_transport(span: &Span, peer: &Peer) {
    use sha2::{Digest, Sha256};

    let Some(headers) = peer.headers() else {
        span.record("network.transport", "pipe");
        return;
    };
    span.record("network.transport", "tcp");
    span.record("network.protocol.name", "http");
    if let Some(session) = headers.get("mcp-session-id") {
        // Whoever knows the id has the session.
        let digest = Sha256::digest(session.as_bytes());
        let short = digest.iter().take(6).fold(0_u64, |short, byte| short << 8 | u64::from(*byte));
        span.record("mcp.session.id", format!("{short:012x}"));
    }
}

#[cfg(not(feature = "http"))]
fn record_transport(span: &Span, _: &Peer) {
    span.record("network.transport", "pipe");
}
