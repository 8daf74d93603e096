//! Servers outside of this process.

#[cfg(feature = "remote")]
pub(crate) mod authorization;
pub(crate) mod transport;
