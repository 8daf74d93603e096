//! The owner of a call, for quotas.

#[cfg(feature = "http")]
use std::net::IpAddr;
use std::sync::Arc;

/// The owner whose quotas a call counts against: its principal or, without a principal, the IP address of its client.
/// The client on standard input has no quota, because it is the only client.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    Principal(Arc<str>),
    #[cfg(feature = "http")]
    Address(IpAddr),
}
