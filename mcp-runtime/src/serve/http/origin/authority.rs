//! Parses the hosts, ports and origins that the headers `Host` and `Origin` contain.

use std::net::{Ipv4Addr, Ipv6Addr};

/// `host` or `host:port`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Authority {
    host: HostName,
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq)]
enum HostName {
    /// A domain name, in lower case and without a trailing dot.
    Name(String),
    V4(Ipv4Addr),
    V6(Ipv6Addr),
}

/// `scheme://host` or `scheme://host:port`.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    /// The scheme, in lower case.
    scheme: String,
    pub(super) authority: Authority,
}

impl Authority {
    /// Reads `host` or `host:port`. Returns `None` if `text` has a user, a path, escapes or an unusual IP address.
    pub(super) fn read(text: &str) -> Option<Self> {
        // The colons inside brackets belong to an IPv6 address.
        let end = text.rfind(']').map_or(0, |bracket| bracket + 1);
        let (host, port) = match text[end..].find(':') {
            Some(colon) => (&text[..end + colon], Some(read_port(&text[end + colon + 1..])?)),
            None => (text, None),
        };
        Some(Self { host: HostName::read(host)?, port })
    }

    pub(super) fn is_loopback(&self) -> bool {
        match &self.host {
            HostName::Name(name) => name == "localhost",
            HostName::V4(address) => address.is_loopback(),
            HostName::V6(address) => address.is_loopback(),
        }
    }

    /// Whether this can be the name of a site with TLS: a domain name at the usual port.
    pub(super) fn is_public(&self) -> bool {
        matches!(&self.host, HostName::Name(name) if name.contains('.')) && matches!(self.port, None | Some(443))
    }

    /// Whether this allowed authority covers `other`. If `self` has no port, it covers all ports. If `other` has no
    /// port, the parameter `usual` is used as its port.
    pub(super) fn covers(&self, other: &Self, usual: Option<u16>) -> bool {
        self.host == other.host && (self.port.is_none() || self.port == other.port.or(usual))
    }
}

impl HostName {
    fn read(text: &str) -> Option<Self> {
        if let Some(inner) = text.strip_prefix('[') {
            return inner.strip_suffix(']')?.parse().ok().map(Self::V6);
        }
        let name = text.strip_suffix('.').unwrap_or(text);
        let is_label = |label: &str| {
            !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        };
        if name.len() > 253 || !name.split('.').all(is_label) {
            return None;
        }
        // A name that ends in a number is an IPv4 address, and must be written as browsers write it.
        let last = name.rsplit('.').next().unwrap_or_default();
        if last.bytes().all(|byte| byte.is_ascii_digit()) {
            return text.parse().ok().map(Self::V4);
        }
        Some(Self::Name(name.to_ascii_lowercase()))
    }
}

impl Origin {
    /// Reads an origin. Returns `None` for any other text, such as `null`, a list, or an origin with a path.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (scheme, authority) = text.split_once("://")?;
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        if !scheme.starts_with(|first: char| first.is_ascii_alphabetic()) || !scheme.bytes().all(fits) {
            return None;
        }
        Some(Self { scheme: scheme.to_ascii_lowercase(), authority: Authority::read(authority)? })
    }

    /// Whether a browser treats `self` and `other` as the same origin.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let port = |origin: &Self| origin.authority.port.or(origin.default_port());
        self.scheme == other.scheme && self.authority.host == other.authority.host && port(self) == port(other)
    }

    /// Whether the scheme is `http` or `https`. Some applications show pages with a scheme of their own.
    pub(super) fn is_of_web(&self) -> bool {
        self.default_port().is_some()
    }

    pub(super) fn default_port(&self) -> Option<u16> {
        match self.scheme.as_str() {
            "http" => Some(80),
            "https" => Some(443),
            _ => None,
        }
    }
}

fn read_port(text: &str) -> Option<u16> {
    // Rust's integer parser accepts a sign.
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}
