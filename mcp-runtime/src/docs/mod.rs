//! Pages of prose, and the documentation of the macros.

#[cfg(feature = "http")]
pub mod auth;
pub mod changing;
pub(crate) mod handoff;
pub(crate) mod macros;
pub mod observing;
pub mod schemas;
#[cfg(feature = "http")]
pub mod serving;
pub mod surviving;
