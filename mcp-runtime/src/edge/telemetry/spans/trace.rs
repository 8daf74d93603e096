//! Records the trace of a request in its span, and returns it to the tool.

use tracing::Span;

use crate::{engine::call::Ctx, wire::protocol::trace_context::TraceContext};

/// Records the ids of the trace in a span. With the feature `opentelemetry`, the span becomes a part of the trace.
pub(super) fn record(trace: &TraceContext, span: &Span) {
    span.record("trace_id", trace.trace_id());
    span.record("parent_id", trace.parent_id());
    #[cfg(feature = "opentelemetry")]
    super::otel::continue_trace(span, trace);
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
        let received = super::otel::current(received.as_ref()).or(received);
        received
    }
}
