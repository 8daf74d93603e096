//! Records spans and events. If OpenTelemetry's conventions for MCP define a name, the module uses that name.

mod chat;
pub(crate) mod client_layer;
#[cfg(feature = "opentelemetry")]
mod otel;

use std::{
    cell::RefCell,
    sync::{Arc, Weak},
    time::Duration,
};

use hmac_sha256::Hash;
pub(crate) use tracing::span::EnteredSpan;
use tracing::{Level, Span, debug, error, error_span, field::Empty, info_span, level_enabled, warn};

pub(crate) use self::chat::{chat, chat_retried};
use super::outcome::ObservedOutcome;
use crate::{
    engine::call::{Call, CallState, Ctx, request::Peer},
    wire::protocol::{
        id::Id, params::Meta, revision::Revision, scan::read_string, text::shortened, trace_context::TraceContext,
    },
};

/// The name of a call's span. The client layer finds the span by this name.
const CALL: &str = "mcp.call";

thread_local! {
    /// The call whose span is being created. The client layer reads the call from here, because a span's field cannot
    /// hold a call.
    static MAKING: RefCell<Option<Weak<CallState>>> = const { RefCell::new(None) };
}

pub(crate) type SpanTrace = Option<TraceContext>;

/// The span of a request, and the trace context that the client sent.
pub(crate) struct RequestSpan {
    span: Span,
    trace: SpanTrace,
}

/// The span of a round of a call. It records the tool and the revision, never the arguments.
pub(crate) struct CallSpan(Span);

pub(crate) fn request(
    peer: &Peer,
    id: &Id<'_>,
    method: &str,
    meta: &Meta<'_>,
    revision: Option<Revision>,
) -> RequestSpan {
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
            record_trace(trace, &span);
        }
    }
    RequestSpan { span, trace }
}

pub(crate) fn call(call: &Arc<CallState>, round: u32) -> CallSpan {
    span_of_call(call, call.tool_name(), round)
}

pub(crate) fn nested(call: &Call, round: u32) -> CallSpan {
    span_of_call(&call.0, call.target().name(), round)
}

fn span_of_call(call: &Arc<CallState>, tool: &str, round: u32) -> CallSpan {
    // The level `ERROR` keeps level filters from removing the span, because the client layer needs it.
    if !level_enabled!(Level::ERROR) {
        return CallSpan(Span::none());
    }
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
    }
    CallSpan(span)
}

impl RequestSpan {
    pub(crate) fn trace(request: Option<&Self>) -> SpanTrace {
        request?.trace.clone()
    }

    /// Returns the trace of a request whose span a filter has removed.
    pub(crate) fn trace_without_span(request: Option<&Self>) -> SpanTrace {
        request.filter(|request| request.span.is_disabled())?.trace.clone()
    }

    pub(crate) fn enter(&self) -> EnteredSpan {
        self.span.clone().entered()
    }

    pub(crate) fn revision(&mut self, revision: Revision) {
        self.span.record("mcp.protocol.version", revision.as_str());
        self.span.record("era", era(revision));
    }

    pub(crate) fn tool(&mut self, name: &str) {
        if !self.span.is_disabled() {
            self.span.record("gen_ai.tool.name", name);
            self.span.record("gen_ai.operation.name", "execute_tool");
            // The OpenTelemetry layer reads the name from a field only when the span is created.
            #[cfg(feature = "opentelemetry")]
            otel::rename(&self.span, format!("tools/call {name}"));
        }
    }

    pub(crate) fn end(&mut self, outcome: ObservedOutcome, _: Duration) {
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

impl CallSpan {
    /// Records the trace of the request in the span of the call.
    pub(crate) fn carry(&self, trace: SpanTrace) {
        if let Some(trace) = trace {
            record_trace(&trace, &self.0);
        }
    }

    pub(crate) fn enter(&self) -> EnteredSpan {
        self.0.clone().entered()
    }

    pub(crate) fn end(&mut self, outcome: ObservedOutcome, took: Duration) {
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
            ObservedOutcome::Repeated => debug!("call repeated"),
            ObservedOutcome::Cancelled => debug!("call cancelled"),
        });
    }
}

impl<S, P> Ctx<S, P> {
    /// Returns the trace context of the call. If the tool sends requests to other services, add the context to these
    /// requests, in the headers `traceparent` and `tracestate`.
    ///
    /// If an OpenTelemetry layer records the tool's span (feature `opentelemetry`), this is the context of the tool's
    /// span. Otherwise it is the context that the client sent. Returns `None` if the request is not traced. Each round
    /// of a call has the trace of its own request.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    ///
    /// /// Looks a word up.
    /// #[mcp_tool(read_only)]
    /// async fn look_up(ctx: &Ctx, word: String) -> String {
    ///     let mut headers = Vec::new();
    ///     if let Some(trace) = ctx.trace_context() {
    ///         headers.push(("traceparent", trace.traceparent().to_owned()));
    ///         headers.extend(trace.tracestate().map(|state| ("tracestate", state.to_owned())));
    ///     }
    ///     format!("asking for {word} with {headers:?}")
    /// }
    /// ```
    pub fn trace_context(&self) -> Option<TraceContext> {
        let received = self.state().request().as_ref().and_then(|request| request.trace.clone());
        #[cfg(feature = "opentelemetry")]
        let received = otel::current(received.as_ref()).or(received);
        received
    }
}

/// Returns the call whose span is being created on this thread.
fn making() -> Option<Weak<CallState>> {
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

/// Records the ids of the trace in a span. With the feature `opentelemetry`, the span becomes a part of the trace.
fn record_trace(trace: &TraceContext, span: &Span) {
    span.record("trace_id", trace.trace_id());
    span.record("parent_id", trace.parent_id());
    #[cfg(feature = "opentelemetry")]
    otel::continue_trace(span, trace);
}
