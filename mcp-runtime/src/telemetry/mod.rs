//! What the operator sees: spans and events with the feature `tracing`, measurements with `metrics`. What they are
//! called stands in [`observing`](crate::observing).
//!
//! `observer/` is told what happens (see [`call::observer`](crate::call::observer)). It knows when a request or a call
//! begins and how it ends; `spans.rs` and `meters.rs` show that, each with its feature.

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
impl crate::call::observer::Observed for crate::call::runtime::Runtime {
    type Observer = crate::call::observer::Unobserved;

    const OBSERVER: Self::Observer = crate::call::observer::Unobserved;
}
