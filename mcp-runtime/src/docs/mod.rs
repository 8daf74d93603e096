//! The documentation of the macros, the guides, and the modules that gather items for the public API.

#[cfg(feature = "http")]
pub mod auth;
pub mod call;
pub mod complete;
pub mod content;
pub mod elicit;
pub mod guide;
pub(crate) mod handoff;
pub(crate) mod macros;
pub mod prompt;
#[cfg(feature = "remote")]
pub mod remote;
pub mod resource;
#[cfg(feature = "settings")]
pub mod settings;
#[cfg(feature = "skills")]
pub mod skill;
#[cfg(any(feature = "tracing", feature = "metrics"))]
pub mod telemetry;
pub mod tool;
pub mod view;
