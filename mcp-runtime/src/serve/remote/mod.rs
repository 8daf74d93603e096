//! Servers outside of this process.

pub(crate) mod transport;
