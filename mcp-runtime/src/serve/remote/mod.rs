//! Servers outside of this process, and other services in it.

#[cfg(feature = "remote")]
pub(crate) mod authorization;
#[cfg(feature = "remote")]
mod client;
pub(crate) mod transport;
#[cfg(feature = "remote")]
mod typed;

#[cfg(feature = "remote")]
pub(crate) use self::client::{ListName, RemoteOffers, passed_on};
#[cfg(feature = "remote")]
pub use self::{
    authorization::ClientCredentials,
    client::{Remote, RemoteCall, RemoteCallWithin, RemoteError, RemoteToolCall, RemoteToolCallWithin},
    typed::{ReadRemote, RemoteTool},
};
