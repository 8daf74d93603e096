//! Whose quotas a call counts against.

#[cfg(feature = "http")]
use std::net::IpAddr;
use std::sync::Arc;

/// Whose quotas a call counts against: those of its principal, or, where there is none, those of its client's address.
/// On standard input the only client has no quota.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    Principal(Arc<str>),
    #[cfg(feature = "http")]
    Address(IpAddr),
}
