//! What the operator sees: spans and events with the feature `tracing`, measurements with `metrics`. What they are
//! called stands in [`observing`](crate::observing).
//!
//! Requests and calls are watched in one place: `request.rs` and `call.rs` know when something begins and how it ends,
//! `spans.rs` and `meters.rs` tell it, each with its feature. Without both, `off.rs` stands here, at no cost.

#[cfg(any(feature = "tracing", feature = "metrics"))]
mod call;
#[cfg(feature = "tracing")]
mod client_layer;
#[cfg(feature = "tracing")]
mod context;
#[cfg(all(feature = "http", not(feature = "metrics")))]
mod http_off;
#[cfg(feature = "metrics")]
mod ledger;
#[cfg(feature = "metrics")]
mod meters;
#[cfg(all(feature = "tracing", not(feature = "metrics")))]
#[path = "meters_off.rs"]
mod meters;
#[cfg(not(any(feature = "tracing", feature = "metrics")))]
mod off;
#[cfg(feature = "opentelemetry")]
mod otel;
#[cfg(any(feature = "tracing", feature = "metrics"))]
mod outcome;
#[cfg(any(feature = "tracing", feature = "metrics"))]
mod request;
#[cfg(feature = "tracing")]
mod spans;
#[cfg(all(feature = "metrics", not(feature = "tracing")))]
#[path = "spans_off.rs"]
mod spans;

#[cfg(all(feature = "http", not(feature = "metrics")))]
pub(crate) use self::http_off::responded;
#[cfg(feature = "metrics")]
pub use self::meters::describe_metrics;
#[cfg(all(feature = "http", feature = "metrics"))]
pub(crate) use self::meters::responded;
#[cfg(not(any(feature = "tracing", feature = "metrics")))]
pub(crate) use self::off::{CallWatch, SessionMeter, defer, negotiated, refused, repeated, request, tool, turned_away};
#[cfg(feature = "tracing")]
pub(crate) use self::request::context;
#[cfg(any(feature = "tracing", feature = "metrics"))]
pub(crate) use self::{
    call::CallWatch,
    meters::{SessionMeter, turned_away},
    request::{defer, negotiated, refused, repeated, request, tool},
};
#[cfg(feature = "tracing")]
pub use self::{
    client_layer::{ClientLayer, client_layer},
    context::TraceContext,
};
#[cfg(feature = "metrics")]
pub(crate) use self::{ledger::timed, meters::asked};
