//! What the operator sees: spans for requests and calls, events for how they end. With the feature `tracing`.

#[cfg(feature = "tracing")]
mod client_layer;
#[cfg(not(feature = "tracing"))]
mod off;
#[cfg(feature = "tracing")]
mod on;

#[cfg(feature = "tracing")]
pub use self::client_layer::{ClientLayer, client_layer};
#[cfg(not(feature = "tracing"))]
pub(crate) use self::off::{CallSpan, refused, request};
#[cfg(feature = "tracing")]
pub(crate) use self::on::{CallSpan, refused, request};
