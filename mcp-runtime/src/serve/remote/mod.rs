//! Servers outside of this process, and other services in it.

#[cfg(feature = "remote")]
mod client;
pub(crate) mod transport;

#[cfg(feature = "remote")]
pub use self::client::{Remote, RemoteCall, RemoteCallWithin, RemoteError};
#[cfg(feature = "remote")]
pub(crate) use self::client::{ListName, RemoteOffers, passed_on};
