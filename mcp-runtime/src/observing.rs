//! How a server is watched: spans, traces, measurements, health, and what it says when it begins.
//!
//! None of it records an argument, an answer, a token or a session's id, at any level. What an error of the protocol says
//! is not recorded either: it may quote what the client sent. Its code is.
//!
//! # Spans
//!
//! With the feature `tracing` each request has a span, and each round of a call one in it. A request's begins when the
//! request arrives and ends when it is answered, be that much later; a call that waits for its client has none. Fields are
//! named as in OpenTelemetry's [conventions for MCP], where these have a name.
//!
//! | field | `mcp.request` (`INFO`) | `mcp.call` (`ERROR`) |
//! | --- | --- | --- |
//! | `otel.name` | the method | `execute_tool` and the tool |
//! | `otel.kind` | `server` | `internal` |
//! | `mcp.method.name` | as the client sent it, 128 characters at most | |
//! | `jsonrpc.request.id` | the same | |
//! | `mcp.protocol.version` | the revision, where it is known | the revision |
//! | `era` | `modern` (requests stand alone), `legacy` (sessions) | the same |
//! | `mcp.session.id` | twelve digits of its SHA-256, over HTTP | |
//! | `network.transport` | `tcp` over HTTP, else `pipe` | |
//! | `network.protocol.name` | `http` over HTTP | |
//! | `gen_ai.tool.name` | one of the server's | the tool |
//! | `gen_ai.operation.name` | `execute_tool`, if it calls a tool | `execute_tool` |
//! | `round` | | 0 in the first request of a call |
//! | `trace_id`, `parent_id` | of the client's trace | the same, where a filter has left the request out |
//! | `outcome` | see below | see below |
//! | `error.type`, `otel.status_code` | if it failed | if it failed |
//! | `rpc.response.status_code` | the code of an error | the code of an error |
//! | `duration_ms` | | how long the round took |
//!
//! | `outcome` | `error.type` | |
//! | --- | --- | --- |
//! | `done` | | |
//! | `asked` | | the round ends with questions to the client |
//! | `repeated` | | it was answered before, with what was kept of that |
//! | `tool_error` | `tool_error` | a result with `isError` |
//! | `error` | its code: `-32602` | an error of the protocol |
//! | `panicked`, `timed_out` | `panic`, `timeout` | the client gets a result with `isError` |
//! | `cancelled` | `cancelled` | nobody waits for it any more |
//! | `not_begun` | `not_begun` | a call that was refused, or cancelled, before anything of it ran |
//!
//! A model that the server asks itself (feature `providers`) has a span in that of the call, `mcp.chat` (`INFO`), from the
//! request to the reply, tries included: `otel.kind` is `client`, and the other fields are `gen_ai.operation.name`,
//! `gen_ai.provider.name`, `gen_ai.request.model`, `gen_ai.request.max_tokens`, `gen_ai.request.temperature`,
//! `gen_ai.output.type`, `gen_ai.response.model`, `gen_ai.response.finish_reasons`, `gen_ai.usage.input_tokens`,
//! `gen_ai.usage.output_tokens`, `server.address`, `server.port`, `error.type` and `otel.status_code`.
//!
//! How they end is told by an event as well: a panic at `ERROR`, a call whose time is over at `WARN`, all else at `DEBUG`.
//! What the operator must know, such as a ledger that is away, is an `ERROR`; without a subscriber it goes to standard
//! error. `client_layer` needs the span of the call, which is why that has the level `ERROR`: filter
//! other layers, each for itself.
//!
//! # Traces
//!
//! A request says of which trace it is a part: `traceparent`, `tracestate` and `baggage` in its `_meta` (in all
//! revisions), or else in the headers it came with. What is not as the [W3C] has it is ignored. Each round of a call goes on
//! with the trace of its own request.
//!
//! - With `tracing` alone the ids stand in the span, so that logs can be found by them.
//! - With `opentelemetry`, and a layer of `tracing-opentelemetry` 0.34, the request's span is a child of the client's. A
//!   span of the application around it, as one for the request over HTTP, is its parent where it is of the same trace,
//!   and linked where the message says another.
//! - `Ctx::trace_context` is what a tool sends on with requests of its own.
//!
//! ```no_run
//! use opentelemetry::trace::TracerProvider;
//! use opentelemetry_sdk::trace::{SdkTracerProvider, SpanExporter};
//! use tracing_subscriber::prelude::*;
//!
//! /// Exports by what `opentelemetry-otlp` has, for example. What this gives is shut down at the end.
//! fn trace(exporter: impl SpanExporter + 'static) -> SdkTracerProvider {
//!     let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).build();
//!     let traces = tracing_opentelemetry::layer().with_tracer(provider.tracer("flights"));
//!     tracing_subscriber::registry().with(traces).init();
//!     provider
//! }
//! ```
//!
//! # Measurements
//!
//! With the feature `metrics`, for whichever recorder the program installs with the [`metrics`] crate: that facade is
//! small, as `tracing` is, and leaves the choice of an exporter to the program, without a background task or a library of
//! its own where none is installed. `opentelemetry` would ask for its whole kit to count to one.
//!
//! | name | kind, unit | labels |
//! | --- | --- | --- |
//! | `mcp.server.operation.duration` | histogram, s | `mcp.method.name`, `mcp.protocol.version`, `network.transport`, `outcome`, `error.type`, `gen_ai.tool.name` |
//! | `mcp.server.call.duration` | histogram, s: a round, from its begin to its end | `gen_ai.tool.name`, `outcome`, `error.type` |
//! | `mcp.server.call.rounds` | histogram: of calls that have ended | `gen_ai.tool.name`, `outcome` |
//! | `mcp.server.calls.active` | gauge: in a round, or waiting for the client of a session | |
//! | `mcp.server.calls.parked` | gauge: kept in memory for their next request | |
//! | `mcp.server.session.duration` | histogram, s | `mcp.protocol.version` |
//! | `mcp.server.sessions.active` | gauge | |
//! | `mcp.server.asks` | counter: questions to clients | `mcp.method.name`, `outcome`: `accepted`, `declined`, `cancelled`, `answered`, `timed_out`, `unanswered`, `refused`, `failed` |
//! | `mcp.server.ledger.duration` | histogram, s | `operation`: `load`, `swap`, `finish`, `id` (if it fails); `outcome`: `done`, `conflict`, `full`, `out_of_space`, `replaced`, `failed` |
//! | `mcp.server.http.responses` | counter | `http.request.method`, `http.response.status_code` |
//! | `mcp.server.refused` | counter | `reason`: `calls`, `sessions` |
//!
//! Labels have few values: the server's own tools, the methods of the protocol, its revisions, `other` for all else. The
//! durations of operations and sessions are OpenTelemetry's. Prometheus shows `.` as `_`, and adds units and `_total` with
//! `with_recommended_naming`:
//!
//! ```no_run
//! use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
//!
//! /// What this gives renders the page that Prometheus reads.
//! fn measure() -> Result<PrometheusHandle, BuildError> {
//!     let seconds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0];
//!     PrometheusBuilder::new()
//!         .with_recommended_naming(true)
//!         .set_buckets_for_metric(Matcher::Full("mcp.server.operation.duration".to_owned()), &seconds)?
//!         .install_recorder()
//! }
//! ```
//!
//! Install it before the server is built, or call `describe_metrics` after it.
//!
//! # Health
//!
//! Over HTTP (feature `http`) `/health` says that the process is alive, and `/health/ready` that requests are welcome:
//! `Service::health_router`, `Service::retire`.
//!
//! # When a server begins
//!
//! What works, but most likely not as meant, is told then: tools that ask and a ledger no other instance sees, hosts that
//! nobody calls, callers that nobody checks, where the address is beyond this machine; keys that no other instance has,
//! where the ledger is shared; tools that cannot go on elsewhere.
//!
//! [conventions for MCP]: https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/
//! [W3C]: https://www.w3.org/TR/trace-context/
//! [`metrics`]: https://docs.rs/metrics
