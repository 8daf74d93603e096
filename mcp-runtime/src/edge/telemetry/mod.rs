//! Telemetry for operators: spans and events with the feature `tracing`, measurements with `metrics`. The page
//! [`observing`](crate::guide::observing) lists their names.
//!
//! `observer/` implements [`call::observer`](crate::engine::call::observer): it tracks the beginnings, ends and outcomes of
//! requests and calls. `spans/` records them with the feature `tracing`, `meters/` with `metrics`.

#[cfg(feature = "metrics")]
pub(crate) mod meters;
#[cfg(any(feature = "tracing", feature = "metrics"))]
pub(crate) mod observer;
mod outcome;
#[cfg(feature = "tracing")]
pub(crate) mod spans;
#[cfg(not(all(feature = "tracing", feature = "metrics")))]
mod unrecorded;

#[cfg(not(feature = "metrics"))]
use self::unrecorded as meters;
#[cfg(not(feature = "tracing"))]
use self::unrecorded as spans;

#[cfg(not(any(feature = "tracing", feature = "metrics")))]
impl crate::engine::call::observer::Observed for crate::engine::call::observer::Runtime {
    type Observer = crate::engine::call::observer::Unobserved;

    const OBSERVER: Self::Observer = crate::engine::call::observer::Unobserved;
}

/// Gets the id of a request, and the phase or step that begins to run for it. Set once, in development mode.
#[cfg(feature = "dev")]
pub(crate) static RUN_LISTENER: std::sync::OnceLock<fn(Option<&str>, String)> = std::sync::OnceLock::new();
