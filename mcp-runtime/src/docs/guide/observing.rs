//! Observability: spans, traces, metrics, health checks, and warnings at startup.
//!
//! Arguments, answers, tokens and session ids are never recorded, at any level. A protocol error is recorded only as
//! its code, because the message of the error can quote the client's input.
//!
//! # Spans
//!
//! With the feature `tracing` each request has a span, and each round of a call has a span inside the span of its
//! request. A request's span begins when the request arrives and ends when it is answered. A call that waits for its
//! client between two requests has no span. A tool that [another tool calls](crate::guide::composing) has a span
//! `mcp.call` inside the span of its caller. If OpenTelemetry's [conventions for MCP] define a name for a field, that
//! name is used.
//!
//! | field | `mcp.request` (`INFO`) | `mcp.call` (`ERROR`) |
//! | --- | --- | --- |
//! | `otel.name` | the method | `execute_tool` and the tool's name |
//! | `otel.kind` | `server` | `internal` |
//! | `mcp.method.name` | as the client sent it, 128 characters at most | |
//! | `jsonrpc.request.id` | as the client sent it, 128 characters at most | |
//! | `mcp.protocol.version` | the revision, if known | the revision |
//! | `era` | `modern` (stateless requests), `legacy` (sessions) | the same |
//! | `mcp.session.id` | twelve digits of its SHA-256, over HTTP | |
//! | `network.transport` | `tcp` over HTTP, else `pipe` | |
//! | `network.protocol.name` | `http` over HTTP | |
//! | `gen_ai.tool.name` | the tool, if the server has it | the tool |
//! | `gen_ai.operation.name` | `execute_tool`, if the request calls a tool | `execute_tool` |
//! | `round` | | 0 in the first request of a call |
//! | `trace_id`, `parent_id` | of the client's trace | the same, if a filter disabled the request's span |
//! | `outcome` | see the next table | see the next table |
//! | `error.type`, `otel.status_code` | if the request failed | if the round failed |
//! | `rpc.response.status_code` | the code of a protocol error | the code of a protocol error |
//! | `duration_ms` | | how long the round took |
//!
//! | `outcome` | `error.type` | when |
//! | --- | --- | --- |
//! | `done` | | a result |
//! | `asked` | | the round ends with questions to the client |
//! | `repeated` | | a repeated request, answered with the recorded reply; or a called tool that ended in an earlier round, in a call that was rebuilt |
//! | `tool_error` | `tool_error` | a result with `isError` |
//! | `error` | the code of the error: `-32602` | a protocol error |
//! | `panicked`, `timed_out` | `panic`, `timeout` | the tool panicked or timed out; the client gets a result with `isError` |
//! | `cancelled` | `cancelled` | the client cancelled the request, or disconnected |
//! | `not_begun` | `not_begun` | a call that was rejected or cancelled before any of it ran |
//!
//! A request of the server to a model (feature `providers`) has the span `mcp.chat` (`INFO`) inside the span of the
//! call. The span includes retries. Its `otel.kind` is `client`; the other fields are `gen_ai.operation.name`,
//! `gen_ai.provider.name`, `gen_ai.request.model`, `gen_ai.request.max_tokens`, `gen_ai.request.temperature`,
//! `gen_ai.output.type`, `gen_ai.response.model`, `gen_ai.response.finish_reasons`, `gen_ai.usage.input_tokens`,
//! `gen_ai.usage.output_tokens`, `server.address`, `server.port`, `error.type` and `otel.status_code`.
//!
//! The end of a request or round is also an event: at `ERROR` for a panic, at `WARN` for a timeout, otherwise at
//! `DEBUG`. Faults that the operator must fix, such as an unavailable ledger, are logged at `ERROR`; without a
//! subscriber they are written to standard error. The span of a call has the level `ERROR`, because `client_layer`
//! needs this span at every log level. To filter the other layers, give each layer its own filter.
//!
//! # Traces
//!
//! The client sends the trace of a request as `traceparent`, `tracestate` and `baggage` in `_meta` (in all revisions),
//! or else in the HTTP headers. Values that do not follow the [W3C] format are ignored. Each round of a call continues
//! the trace of its own request.
//!
//! - With `tracing` alone the ids of the trace are fields of the span, so that logs can be searched for these ids.
//! - With `opentelemetry` and a layer of `tracing-opentelemetry` 0.34, the request's span is a child of the client's
//!   span. An application can have its own span around the request, such as one for the HTTP request. If that span
//!   belongs to the same trace, it is the parent. Otherwise the two spans are linked.
//! - `Ctx::trace_context` returns the trace context that a tool sends with its own requests.
//!
//! ```no_run
//! use opentelemetry::trace::TracerProvider;
//! use opentelemetry_sdk::trace::{SdkTracerProvider, SpanExporter};
//! use tracing_subscriber::prelude::*;
//!
//! /// Exports spans, for example with `opentelemetry-otlp`. Shut the returned provider down at the end.
//! fn trace(exporter: impl SpanExporter + 'static) -> SdkTracerProvider {
//!     let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).build();
//!     let traces = tracing_opentelemetry::layer().with_tracer(provider.tracer("flights"));
//!     tracing_subscriber::registry().with(traces).init();
//!     provider
//! }
//! ```
//!
//! # Metrics
//!
//! With the feature `metrics` the server records to the recorder that the program installs with the [`metrics`] crate.
//! The program chooses the exporter. Without an exporter, `metrics` adds no background task and no further dependency.
//!
//! | name | kind, unit | labels |
//! | --- | --- | --- |
//! | `mcp.server.operation.duration` | histogram, s | `mcp.method.name`, `mcp.protocol.version`, `network.transport`, `outcome`, `error.type`, `gen_ai.tool.name` |
//! | `mcp.server.call.duration` | histogram, s: one round | `gen_ai.tool.name`, `outcome`, `error.type`, `nested`: `true` if another tool calls the tool |
//! | `mcp.server.call.rounds` | histogram: the rounds of each call that has ended | `gen_ai.tool.name`, `outcome` |
//! | `mcp.server.calls.active` | gauge: calls in a round, and calls in a session that wait for their client | |
//! | `mcp.server.calls.parked` | gauge: calls kept in memory for their next request | |
//! | `mcp.server.session.duration` | histogram, s | `mcp.protocol.version` |
//! | `mcp.server.sessions.active` | gauge | |
//! | `mcp.server.asks` | counter: questions to clients | `mcp.method.name`, `outcome`: `accepted`, `declined`, `cancelled`, `answered`, `timed_out`, `unanswered`, `refused`, `failed` |
//! | `mcp.server.ledger.duration` | histogram, s | `operation`: `load`, `swap`, `finish`, `id` (if it fails); `outcome`: `done`, `conflict`, `full`, `out_of_space`, `replaced`, `failed` |
//! | `mcp.server.http.responses` | counter | `http.request.method`, `http.response.status_code` |
//! | `mcp.server.refused` | counter: calls, runs and sessions rejected because of a limit | `reason`: `calls`, `open_calls`, `runs`, `sessions` |
//!
//! A call that another tool makes is counted in `mcp.server.call.duration`, unless its outcome is `repeated`. It is not
//! counted in the other measurements of calls, because it has no rounds of its own and runs in the place of its caller.
//!
//! Labels have few values: the server's own tools, the methods and revisions of the protocol, and `other` for
//! everything else. The durations of operations and sessions follow OpenTelemetry's conventions. The exporter for
//! Prometheus replaces `.` with `_`. With `with_recommended_naming` it also appends the units and `_total`:
//!
//! ```no_run
//! use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
//!
//! /// Installs the recorder. The returned handle renders the page that Prometheus scrapes.
//! fn measure() -> Result<PrometheusHandle, BuildError> {
//!     let seconds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0];
//!     PrometheusBuilder::new()
//!         .with_recommended_naming(true)
//!         .set_buckets_for_metric(Matcher::Full("mcp.server.operation.duration".to_owned()), &seconds)?
//!         .install_recorder()
//! }
//! ```
//!
//! Install the recorder before the server is built, or call `describe_metrics` afterwards.
//!
//! # Health
//!
//! Over HTTP (feature `http`) `/health` reports that the process is alive, and `/health/ready` reports that the process
//! accepts requests. See `Service::health_router` and `Service::retire`.
//!
//! # Warnings at startup
//!
//! The server warns about settings that work but are most likely a mistake:
//!
//! - tools that ask, together with a ledger that other instances do not share
//! - an address that other machines can reach, without allowed hosts or without authorization
//! - a shared ledger, together with keys that other instances do not have
//! - a shared ledger, together with tools whose calls cannot resume on another instance
//!
//! [conventions for MCP]: https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/
//! [W3C]: https://www.w3.org/TR/trace-context/
//! [`metrics`]: https://docs.rs/metrics
