//! How many users of one address are new.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    time::{Duration, Instant},
};

/// The time in which new users are counted.
const HOUR: Duration = Duration::from_secs(60 * 60);

/// The most addresses that are remembered.
const ADDRESSES: usize = 10_000;

/// Counts the new users of each address, in hours that begin with the first of them. Users without a known address
/// count together.
pub(crate) struct Newcomers {
    most: usize,
    addresses: HashMap<Option<IpAddr>, (Instant, usize)>,
}

impl Newcomers {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, addresses: HashMap::new() }
    }

    /// Returns whether this address may have one more new user now.
    pub(crate) fn may_come(&self, address: Option<IpAddr>) -> bool {
        let counted = self.addresses.get(&address.map(network));
        counted.is_none_or(|(since, users)| since.elapsed() >= HOUR || *users < self.most)
    }

    /// Counts a new user of this address.
    pub(crate) fn comes(&mut self, address: Option<IpAddr>) {
        if self.addresses.len() >= ADDRESSES {
            self.addresses.retain(|_, (since, _)| since.elapsed() < HOUR);
            // Of so many addresses, the oldest is forgotten.
            let oldest = self.addresses.iter().min_by_key(|(_, (since, _))| *since).map(|(address, _)| *address);
            if let Some(oldest) = oldest.filter(|_| self.addresses.len() >= ADDRESSES) {
                self.addresses.remove(&oldest);
            }
        }
        let now = Instant::now();
        let (since, users) = self.addresses.entry(address.map(network)).or_insert((now, 0));
        if since.elapsed() >= HOUR {
            (*since, *users) = (now, 0);
        }
        *users += 1;
    }
}

/// Returns the network of an IPv6 address, because one subscriber has all addresses of a network of 64 bits. Returns an
/// IPv4 address unchanged.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
    }
}
