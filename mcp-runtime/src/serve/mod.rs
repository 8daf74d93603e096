//! Connections and methods: what a client can ask of a server.

#[cfg(any(feature = "cli", feature = "plugin", feature = "testing"))]
pub(crate) mod client;
pub(crate) mod complete;
#[cfg(feature = "http")]
pub mod http;
pub(crate) mod prompt;
pub(crate) mod resource;
pub(crate) mod server;
#[cfg(feature = "actions")]
pub mod tasks;
pub(crate) mod transport;
