//! Traces and metrics for the operator. The guide [`observing`](crate::guide::observing) lists all names.

#[cfg(feature = "metrics")]
pub use crate::edge::telemetry::meters::describe_metrics;
#[cfg(feature = "tracing")]
pub use crate::{
    edge::telemetry::spans::client_layer::{ClientLayer, client_layer},
    wire::protocol::trace_context::TraceContext,
};
