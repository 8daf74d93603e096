//! Where people and other systems meet the server.

#[cfg(feature = "stdio")]
pub(crate) mod cli;
#[cfg(feature = "providers")]
pub mod providers;
pub(crate) mod telemetry;
#[cfg(feature = "testing")]
pub mod testing;
