//! Where people and other systems meet the server.

#[cfg(feature = "stdio")]
pub(crate) mod cli;
#[cfg(feature = "dev")]
pub(crate) mod dev;
#[cfg(any(feature = "cli", feature = "http"))]
#[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "a page shows a part of what `install` writes"))]
pub(crate) mod hosts;
#[cfg(feature = "http")]
mod landing;
#[cfg(feature = "cli")]
pub(crate) mod own_program;
#[cfg(feature = "providers")]
pub mod providers;
pub(crate) mod telemetry;
#[cfg(feature = "testing")]
pub mod testing;
