//! Connections and methods: what a client can ask of a server.

#[cfg(any(feature = "cli", feature = "plugin", feature = "remote", feature = "testing"))]
#[cfg_attr(
    not(all(feature = "cli", feature = "plugin", feature = "testing")),
    allow(dead_code, unreachable_pub, unused_imports, reason = "each of these features uses a part")
)]
pub(crate) mod client;
pub(crate) mod complete;
#[cfg(feature = "http")]
pub mod http;
pub(crate) mod prompt;
#[cfg(any(feature = "cli", feature = "remote", feature = "testing"))]
#[allow(dead_code, unused_imports, reason = "each of these features uses a part")]
pub(crate) mod remote;
pub(crate) mod resource;
pub(crate) mod server;
#[cfg(feature = "settings")]
pub(crate) mod settings;
#[cfg(feature = "skills")]
pub(crate) mod skill;
#[cfg(feature = "actions")]
pub mod tasks;
pub(crate) mod transport;
