//! Records spans and events. If OpenTelemetry's conventions for MCP define a name, the module uses that name.

mod chat;
#[cfg(feature = "opentelemetry")]
mod otel;
mod trace;

use std::{
    cell::RefCell,
    sync::{Arc, Weak},
    time::Duration,
};

use hmac_sha256::Hash;
use tracing::{Level, Span, debug, error, error_span, field::Empty, info_span, level_enabled, span::EnteredSpan, warn};

use super::observer::{
    outcome::ObservedOutcome,
    request,
    signal::{CallSignal, Off, RequestSignal, Signal},
};
use crate::{
    engine::call::{
        CallState,
        observer::{ChatEnd, ChatRequest},
        request::Peer,
    },
    wire::protocol::{
        id::Id, params::Meta, revision::Revision, scan::read_string, text::shortened, trace_context::TraceContext,
    },
};

/// The name of a call's span. The client layer finds the span by this name.
pub(super) const CALL: &str = "mcp.call";

thread_local! {
    /// The call whose span is being created. The client layer reads the call from here, because a span's field cannot
    /// hold a call.
    static MAKING: RefCell<Option<Weak<CallState>>> = const { RefCell::new(None) };
}

pub(crate) struct Spans;

/// The span of a request, and the trace context that the client sent.
pub(crate) struct RequestSpan {
    span: Span,
    trace: Option<TraceContext>,
}

/// The span of a round of a call. It records the tool and the revision, never the arguments.
pub(crate) struct CallSpan(Span);

impl Signal for Spans {
    type Request = RequestSpan;
    type Call = CallSpan;
    type Parked = Off;
    type Session = Off;
    type Trace = Option<TraceContext>;

    fn parked() -> Off {
        Off
    }

    fn session(_: Revision) -> Off {
        Off
    }

    fn trace(request: Option<&RequestSpan>) -> Option<TraceContext> {
        request?.trace.clone()
    }

    fn chat<F: Future + Send>(
        chat: &ChatRequest<'_>,
        future: F,
        end: impl FnOnce(&F::Output) -> ChatEnd<'_> + Send,
    ) -> impl Future<Output = F::Output> + Send {
        chat::watched(chat, future, end)
    }

    fn chat_retried(error_type: &str, delay: Duration) {
        chat::retried(error_type, delay);
    }
}

impl RequestSignal for RequestSpan {
    type Entered = EnteredSpan;

    fn begin(peer: &Peer, id: &Id<'_>, method: &str, meta: &Meta<'_>, revision: Option<Revision>) -> Self {
        let trace = TraceContext::of(meta, |name| peer.http_parts.header(name));
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
            if let Some(trace) = &trace {
                trace::record(trace, &span);
            }
        }
        Self { span, trace }
    }

    fn enter(&self) -> EnteredSpan {
        self.span.clone().entered()
    }

    fn revision(&mut self, revision: Revision) {
        self.span.record("mcp.protocol.version", revision.as_str());
        self.span.record("era", era(revision));
    }

    fn tool(&mut self, name: &str) {
        if !self.span.is_disabled() {
            self.span.record("gen_ai.tool.name", name);
            self.span.record("gen_ai.operation.name", "execute_tool");
            // The OpenTelemetry layer reads the name from a field only when the span is created.
            #[cfg(feature = "opentelemetry")]
            otel::rename(&self.span, format!("tools/call {name}"));
        }
    }

    fn end(self, outcome: ObservedOutcome) {
        if self.span.is_disabled() {
            return;
        }
        record(&self.span, outcome);
        self.span.in_scope(|| match outcome {
            // The message is not recorded, because it can quote the client's input.
            ObservedOutcome::Error(code) => debug!(code, "request refused"),
            _ => debug!("request {}", outcome.as_str()),
        });
    }
}

impl CallSignal for CallSpan {
    type Entered = EnteredSpan;

    fn begin(call: &Arc<CallState>, round: u32) -> Self {
        // The level `ERROR` keeps level filters from removing the span, because the client layer needs it.
        if !level_enabled!(Level::ERROR) {
            return Self(Span::none());
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
            // If a filter removed the request's span, the call's span carries the trace.
            let request =
                request::with_span(|request| request.filter(|request| request.span.is_disabled())?.trace.clone());
            if let Some(trace) = request {
                trace::record(&trace, &span);
            }
        }
        Self(span)
    }

    fn enter(&self) -> EnteredSpan {
        self.0.clone().entered()
    }

    fn end(&mut self, outcome: ObservedOutcome, took: Duration) {
        if self.0.is_disabled() {
            return;
        }
        record(&self.0, outcome);
        self.0.record("duration_ms", milliseconds(took));
        self.0.in_scope(|| match outcome {
            ObservedOutcome::Done => debug!("call done"),
            ObservedOutcome::Asked => debug!("call asks its client"),
            ObservedOutcome::ToolError => debug!("call failed"),
            ObservedOutcome::Error(code) => debug!(code, "call refused"),
            ObservedOutcome::Panicked => error!("call panicked"),
            ObservedOutcome::TimedOut => warn!("call timed out"),
            ObservedOutcome::NotBegun => debug!("call not begun"),
            ObservedOutcome::Cancelled | ObservedOutcome::Repeated => debug!("call cancelled"),
        });
    }
}

/// Returns the call whose span is being created on this thread.
pub(super) fn making() -> Option<Weak<CallState>> {
    MAKING.with_borrow(Clone::clone)
}

fn era(revision: Revision) -> &'static str {
    if revision.is_modern() { "modern" } else { "legacy" }
}

fn record(span: &Span, outcome: ObservedOutcome) {
    span.record("outcome", outcome.as_str());
    if let Some(error) = outcome.error_type() {
        span.record("error.type", &*error);
        span.record("otel.status_code", "ERROR");
        if let ObservedOutcome::Error(_) = outcome {
            span.record("rpc.response.status_code", &*error);
        }
    }
}

/// Converts a duration to milliseconds, with a resolution of a microsecond.
fn milliseconds(took: Duration) -> f64 {
    took.as_micros() as f64 / 1000.0
}

fn record_transport(span: &Span, peer: &Peer) {
    if !peer.http_parts.is_there() {
        span.record("network.transport", "pipe");
        return;
    }
    span.record("network.transport", "tcp");
    span.record("network.protocol.name", "http");
    if let Some(session) = peer.http_parts.header("mcp-session-id").first() {
        // The id gives access to the session, so only its hash is recorded.
        let digest = Hash::hash(session);
        let short = digest.iter().take(6).fold(0_u64, |short, byte| short << 8 | u64::from(*byte));
        span.record("mcp.session.id", format!("{short:012x}"));
    }
}
