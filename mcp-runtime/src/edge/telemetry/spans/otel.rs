//! Links spans to OpenTelemetry. A request's span becomes a child of the span that the client sent.

use std::str::FromStr;

use opentelemetry::{
    Context,
    trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState},
};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

use crate::wire::protocol::trace_context::TraceContext;

/// Makes `span` a child of the client's span, unless a span of the application already connects them. Must be called
/// before `span` is entered.
pub(super) fn continue_trace(span: &Span, context: &TraceContext) {
    let Some(remote) = remote(context) else { return };
    let around = around();
    if around.is_valid() {
        // The application's span around this one is already a child of the client's span.
        if !context.is_in_message() && around.trace_id() == remote.trace_id() {
            return;
        }
        span.add_link(around);
    }
    // Fails if no OpenTelemetry layer records the span.
    let _ = span.set_parent(Context::new().with_remote_span_context(remote));
}

/// Sets the name of a span that was entered before its name was known.
pub(super) fn rename(span: &Span, name: String) {
    span.context().span().update_name(name);
}

/// Returns the trace context of the thread's current span, for requests to other services.
pub(super) fn current(received: Option<&TraceContext>) -> Option<TraceContext> {
    let span = around();
    if !span.is_valid() {
        return None;
    }
    let parent = format!("00-{}-{}-{:02x}", span.trace_id(), span.span_id(), span.trace_flags().to_u8());
    let state = Some(span.trace_state().header()).filter(|state| !state.is_empty());
    let baggage = received.and_then(|received| received.baggage().map(ToOwned::to_owned));
    TraceContext::new(&parent, state, baggage, true)
}

fn around() -> SpanContext {
    Span::current().context().span().span_context().clone()
}

fn remote(context: &TraceContext) -> Option<SpanContext> {
    let trace = TraceId::from_hex(context.trace_id()).ok()?;
    let parent = SpanId::from_hex(context.parent_id()).ok()?;
    let state = context.tracestate().and_then(|state| TraceState::from_str(state).ok()).unwrap_or_default();
    Some(SpanContext::new(trace, parent, TraceFlags::new(context.flags()), true, state))
}
