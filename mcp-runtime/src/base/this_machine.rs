//! Tells whether a host is this machine.

use std::net::IpAddr;

/// Whether only this machine can be reached under the host: `localhost`, or a loopback address, with or without the
/// brackets of an IPv6 address in a URL. IPv4 addresses may be written as IPv6 addresses: `::ffff:127.0.0.1`.
pub(crate) fn is_this_machine(host: &str) -> bool {
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host == "localhost" || address.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_localhost_and_loopback_addresses_are_this_machine() {
        for host in ["localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]", "[::ffff:127.0.0.1]"] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in ["", "0.0.0.0", "::", "[::]", "192.168.1.1", "example.com", "localhost.example.com", "[[::1]]"] {
            assert!(!is_this_machine(host), "{host}");
        }
    }
}
