//! The owner of a request: the client whose quota the request counts against.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr, SocketAddr},
    sync::Arc,
};

use axum::extract::ConnectInfo;
use http::Extensions;

pub(crate) use crate::engine::call::Owner;
use crate::{base::mutex::Mutex, engine::call::Principal};

/// The address of the client that sent a request. A client without a [`Principal`] shares the quota of its address.
///
/// [`Service::serve_http`](crate::Service::serve_http) uses the address of each connection. A
/// [`Service`](crate::Service) mounted in an application uses [`ConnectInfo<SocketAddr>`](axum::extract::ConnectInfo),
/// if the application provides it. Behind a proxy, both addresses are the address of the proxy, so all clients would
/// share one quota. If you use a proxy, add the client's own address to the extensions of the request. Read the address
/// from a header that your proxy always sets, so that a client cannot forge it.
///
/// ```
/// use std::net::IpAddr;
///
/// use axum::{Router, extract::Request, middleware::{Next, from_fn}};
/// use mcp_runtime::http::ClientAddress;
/// # use mcp_runtime::Server;
/// # let service = Server::new("s", "1.0.0").build().unwrap();
///
/// let client_address = from_fn(async |mut request: Request, next: Next| {
///     let address = request.headers().get("x-real-ip").and_then(|value| value.to_str().ok()?.parse::<IpAddr>().ok());
///     if let Some(address) = address {
///         request.extensions_mut().insert(ClientAddress(address));
///     }
///     next.run(request).await
/// });
/// let app: Router = Router::new().merge(service.mount("/mcp")).layer(client_address);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientAddress(pub IpAddr);

impl Owner {
    /// Returns the owner of a request with these extensions, on a connection from `peer`. Returns `None` if neither the
    /// principal nor the address is known.
    pub(crate) fn of(extensions: &Extensions, peer: Option<IpAddr>) -> Option<Self> {
        if let Some(principal) = extensions.get::<Principal>() {
            return Some(Self::Principal(principal.shared_name()));
        }
        let said = extensions.get().map(|ClientAddress(address)| *address);
        let connected = || extensions.get().map(|ConnectInfo(address): &ConnectInfo<SocketAddr>| address.ip());
        said.or(peer).or_else(connected).map(|address| Self::Address(network(address)))
    }
}

/// What each owner uses of a limit.
#[derive(Clone, Default)]
pub(crate) struct OwnerCounts(Arc<Mutex<HashMap<Owner, usize>>>);

/// An amount that counts against the limit of its owner until this value is dropped.
pub(crate) struct OwnerCount {
    counts: OwnerCounts,
    owner: Option<Owner>,
    amount: usize,
}

impl OwnerCounts {
    pub(crate) fn of(&self, owner: &Owner) -> usize {
        self.0.lock().get(owner).copied().unwrap_or_default()
    }

    /// Counts `amount`. Returns `None` if the owner already has `most`, which is at least 1. Amounts of unknown owners
    /// are not counted.
    pub(crate) fn add(&self, owner: Option<Owner>, amount: usize, most: usize) -> Option<OwnerCount> {
        if let Some(owner) = &owner {
            let mut counts = self.0.lock();
            let count = counts.entry(owner.clone()).or_default();
            if *count >= most {
                return None;
            }
            *count += amount;
        }
        Some(OwnerCount { counts: self.clone(), owner, amount })
    }
}

impl Drop for OwnerCount {
    fn drop(&mut self) {
        let Some(owner) = &self.owner else { return };
        let mut counts = self.counts.0.lock();
        if let Some(count) = counts.get_mut(owner) {
            *count -= self.amount;
            if *count == 0 {
                counts.remove(owner);
            }
        }
    }
}

/// Returns the network of an IPv6 address, because one subscriber has all addresses of a network. Returns an IPv4
/// address unchanged.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn prefers_the_principal_then_the_client_address_then_the_peer() {
        let mut extensions = Extensions::new();
        assert_eq!(Owner::of(&extensions, None), None);
        extensions.insert(ConnectInfo(SocketAddr::from(([192, 0, 2, 1], 80))));
        assert_eq!(Owner::of(&extensions, None), Some(Owner::Address(address("192.0.2.1"))));
        assert_eq!(Owner::of(&extensions, Some(address("192.0.2.2"))), Some(Owner::Address(address("192.0.2.2"))));
        extensions.insert(ClientAddress(address("192.0.2.3")));
        assert_eq!(Owner::of(&extensions, Some(address("192.0.2.2"))), Some(Owner::Address(address("192.0.2.3"))));
        extensions.insert(Principal::new("ann"));
        assert_eq!(Owner::of(&extensions, None), Some(Owner::Principal("ann".into())));
    }

    #[test]
    fn addresses_of_one_network_share_an_owner() {
        assert_eq!(network(address("2001:db8::1")), network(address("2001:db8::ffff:1")));
        assert_ne!(network(address("2001:db8::1")), network(address("2001:db8:0:1::1")));
        assert_eq!(network(address("::ffff:192.0.2.1")), address("192.0.2.1"));
        assert_ne!(network(address("192.0.2.1")), network(address("192.0.2.2")));
    }
}
