//! Ways in and out: the only place that does I/O.

#[cfg(feature = "http")]
mod http;
#[cfg(feature = "stdio")]
mod lines;
mod memory;
#[cfg(feature = "stdio")]
mod output;
#[cfg(feature = "stdio")]
mod stdio;

#[cfg(all(fuzzing, feature = "http"))]
pub(crate) use self::http::fuzz_connection;
#[cfg(feature = "http")]
pub use self::http::{AllowedHosts, ClientAddress, HttpLimits};
#[cfg(feature = "http")]
pub(crate) use self::http::{Lifecycle, Readiness, auth};
pub use self::memory::MemoryClient;
