//! Addresses for servers.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener},
    sync::atomic::{AtomicU32, Ordering},
};

/// The number of ports to choose from, which are 20,000 to 32,000.
const MOST_PORTS: u32 = 12_000;

/// Returns an address on which no server listens yet. Returns each address only once, because several servers start at
/// the same time. The ports are below the range of client ports. Otherwise, a client that connects too early could get
/// the same port and connect to itself.
pub(crate) fn free_address() -> Option<SocketAddr> {
    static GIVEN: AtomicU32 = AtomicU32::new(0);
    (0..MOST_PORTS).find_map(|_| {
        let number = std::process::id().wrapping_add(GIVEN.fetch_add(1, Ordering::Relaxed)) % MOST_PORTS;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 20_000 + number as u16));
        TcpListener::bind(address).is_ok().then_some(address)
    })
}
