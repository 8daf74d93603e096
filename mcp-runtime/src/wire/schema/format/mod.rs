//! The values of `format` that this crate checks itself.

mod address;
mod moment;
mod numbers;

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::{self, FromStr},
};

pub(super) use self::numbers::NumberFormat;
use self::{
    address::hostname,
    moment::{duration, time},
};
pub(crate) use self::{
    address::{email, uri},
    moment::{date, date_time},
};

/// A value of the keyword `format`, for strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StringFormat {
    Date,
    Time,
    DateTime,
    Duration,
    Email,
    Hostname,
    /// The format that schemars writes for `std::net::IpAddr`. JSON Schema does not define it.
    Ip,
    Ipv4,
    Ipv6,
    Uri,
    Uuid,
}

/// Formats of JSON Schema that the crate `jsonschema` checks.
pub(super) const FOREIGN: [&str; 9] = [
    "idn-email",
    "idn-hostname",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "uri-reference",
    "uri-template",
];

/// Each format with its name, and with a description for a model.
const NAMED: [(&str, StringFormat, &str); 11] = [
    ("date", StringFormat::Date, "a date such as 2026-01-31"),
    ("time", StringFormat::Time, "a time with its offset such as 14:30:00Z"),
    ("date-time", StringFormat::DateTime, "a date and time with its offset such as 2026-01-31T14:30:00Z"),
    ("duration", StringFormat::Duration, "an ISO 8601 duration such as PT1H30M"),
    ("email", StringFormat::Email, "an email address"),
    ("hostname", StringFormat::Hostname, "a host name"),
    ("ip", StringFormat::Ip, "an IP address"),
    ("ipv4", StringFormat::Ipv4, "an IPv4 address"),
    ("ipv6", StringFormat::Ipv6, "an IPv6 address"),
    ("uri", StringFormat::Uri, "an absolute URI such as https://example.com/path"),
    ("uuid", StringFormat::Uuid, "a UUID"),
];

/// Returns whether JSON Schema defines the format.
pub(super) fn is_standard(name: &str) -> bool {
    FOREIGN.contains(&name) || StringFormat::named(name).is_some_and(|format| format != StringFormat::Ip)
}

impl StringFormat {
    pub(super) fn named(name: &str) -> Option<Self> {
        NAMED.iter().find(|(known, ..)| *known == name).map(|(_, format, _)| *format)
    }

    /// Returns a description of the format, written for a model.
    pub(super) fn noun(self) -> &'static str {
        NAMED.iter().find(|(_, format, _)| *format == self).map_or("a string", |(.., noun)| noun)
    }

    pub(crate) fn accepts(self, text: &str) -> bool {
        let bytes = text.as_bytes();
        match self {
            Self::Date => date(bytes),
            Self::Time => time(bytes),
            Self::DateTime => date_time(bytes),
            Self::Duration => duration(text),
            Self::Email => email(bytes).is_some_and(|address| match address.strip_prefix(b"IPv6:") {
                Some(address) => is::<Ipv6Addr>(address),
                None => address.is_empty() || is::<Ipv4Addr>(address),
            }),
            Self::Hostname => hostname(bytes),
            Self::Ip => is::<IpAddr>(bytes),
            Self::Ipv4 => is::<Ipv4Addr>(bytes),
            Self::Ipv6 => is::<Ipv6Addr>(bytes),
            Self::Uri => uri(bytes).is_some_and(|address| address.is_empty() || is::<Ipv6Addr>(address)),
            Self::Uuid => uuid(bytes),
        }
    }
}

fn is<T: FromStr>(text: &[u8]) -> bool {
    str::from_utf8(text).is_ok_and(|text| text.parse::<T>().is_ok())
}

fn uuid(text: &[u8]) -> bool {
    text.len() == 36
        && text.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
