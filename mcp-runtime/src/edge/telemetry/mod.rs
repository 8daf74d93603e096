//! Telemetry for operators: spans and events with the feature `tracing`, measurements with `metrics`. The page
//! [`observing`](crate::guide::observing) lists their names.
//!
//! `observer/` implements [`call::observer`](crate::engine::call::observer): it tracks the beginnings, ends and outcomes of
//! requests and calls. `spans.rs` records them with the feature `tracing`, `meters.rs` with `metrics`.

#[cfg(feature = "tracing")]
mod client_layer;
#[cfg(feature = "metrics")]
mod meters;
#[cfg(any(feature = "tracing", feature = "metrics"))]
mod observer;
#[cfg(feature = "tracing")]
mod spans;

#[cfg(feature = "tracing")]
pub use self::client_layer::{ClientLayer, client_layer};
#[cfg(feature = "metrics")]
pub use self::meters::describe_metrics;

#[cfg(not(any(feature = "tracing", feature = "metrics")))]
impl crate::engine::call::observer::Observed for crate::engine::call::observer::Runtime {
    type Observer = crate::engine::call::observer::Unobserved;

    const OBSERVER: Self::Observer = crate::engine::call::observer::Unobserved;
}
