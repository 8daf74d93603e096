//! The values of `format` that are common enough to be checked here.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::number::Number;

/// A format of strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Date,
    Time,
    DateTime,
    Duration,
    Email,
    Hostname,
    /// What schemars writes for `std::net::IpAddr`; no format of JSON Schema.
    Ip,
    Ipv4,
    Ipv6,
    Uri,
    Uuid,
}

/// Formats of JSON Schema that are left to the crate `jsonschema`.
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

impl Format {
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "date" => Self::Date,
            "time" => Self::Time,
            "date-time" => Self::DateTime,
            "duration" => Self::Duration,
            "email" => Self::Email,
            "hostname" => Self::Hostname,
            "ip" => Self::Ip,
            "ipv4" => Self::Ipv4,
            "ipv6" => Self::Ipv6,
            "uri" => Self::Uri,
            "uuid" => Self::Uuid,
            _ => return None,
        })
    }

    /// What a model is told to write.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Date => "a date such as 2026-01-31",
            Self::Time => "a time with its offset such as 14:30:00Z",
            Self::DateTime => "a date and time with its offset such as 2026-01-31T14:30:00Z",
            Self::Duration => "an ISO 8601 duration such as PT1H30M",
            Self::Email => "an email address",
            Self::Hostname => "a host name",
            Self::Ip => "an IP address",
            Self::Ipv4 => "an IPv4 address",
            Self::Ipv6 => "an IPv6 address",
            Self::Uri => "an absolute URI such as https://example.com/path",
            Self::Uuid => "a UUID",
        }
    }

    pub(super) fn accepts(self, text: &str) -> bool {
        match self {
            Self::Date => date(text),
            Self::Time => time(text),
            Self::DateTime => {
                let split = text.split_at_checked(10).filter(|(_, rest)| rest.starts_with(['T', 't']));
                split.is_some_and(|(day, rest)| date(day) && time(&rest[1..]))
            }
            Self::Duration => duration(text),
            Self::Email => email(text),
            Self::Hostname => hostname(text),
            Self::Ip => Self::Ipv4.accepts(text) || Self::Ipv6.accepts(text),
            Self::Ipv4 => text.parse::<Ipv4Addr>().is_ok(),
            Self::Ipv6 => text.parse::<Ipv6Addr>().is_ok(),
            Self::Uri => uri(text),
            Self::Uuid => uuid(text),
        }
    }
}

/// A format of numbers: no format of JSON Schema, but what schemars writes for Rust's types.
#[derive(Clone, Copy, Debug)]
pub(super) struct NumberFormat {
    pub(super) low: Option<Number>,
    pub(super) high: Option<Number>,
    /// Whether the range is small enough to tell a model.
    pub(super) told: bool,
}

impl NumberFormat {
    pub(super) fn named(name: &str) -> Option<Self> {
        let (low, high, told) = match name {
            "int8" => (Some(i8::MIN.into()), Some(i8::MAX.into()), true),
            "int16" => (Some(i16::MIN.into()), Some(i16::MAX.into()), true),
            "int32" => (Some(i32::MIN.into()), Some(i32::MAX.into()), true),
            "int64" => (Some(i64::MIN.into()), Some(i64::MAX.into()), false),
            "int" => (Some(isize::MIN as i128), Some(isize::MAX as i128), false),
            "uint8" => (Some(0), Some(u8::MAX.into()), true),
            "uint16" => (Some(0), Some(u16::MAX.into()), true),
            "uint32" => (Some(0), Some(u32::MAX.into()), true),
            "uint64" => (Some(0), Some(u64::MAX.into()), false),
            "uint" => (Some(0), Some(usize::MAX as i128), false),
            "uint128" => (Some(0), None, false),
            "int128" | "float" | "double" => (None, None, false),
            _ => return None,
        };
        Some(Self { low: low.map(Number::Whole), high: high.map(Number::Whole), told })
    }
}

/// As many digits as asked for, as a number.
fn digits(text: &str, count: usize) -> Option<u32> {
    (text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

fn date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(year), Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let (Some(year), Some(month), Some(day)) = (digits(year, 4), digits(month, 2), digits(day, 2)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// `full-time` of RFC 3339: the offset is not optional.
fn time(text: &str) -> bool {
    let Some(at) = text.find(['Z', 'z', '+', '-']) else { return false };
    let (clock, offset) = text.split_at(at);
    let (clock, fraction) = match clock.split_once('.') {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (clock, None),
    };
    if fraction.is_some_and(|fraction| fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit())) {
        return false;
    }
    let mut parts = clock.split(':');
    let (Some(hour), Some(minute), Some(second), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let (Some(hour), Some(minute), Some(second)) = (digits(hour, 2), digits(minute, 2), digits(second, 2)) else {
        return false;
    };
    let Some(offset) = offset_minutes(offset) else { return false };
    // A leap second is the last of a day in UTC.
    let in_utc = (hour as i32 * 60 + minute as i32 - offset).rem_euclid(24 * 60);
    hour < 24 && minute < 60 && (second < 60 || (second == 60 && in_utc == 24 * 60 - 1))
}

fn offset_minutes(text: &str) -> Option<i32> {
    if matches!(text, "Z" | "z") {
        return Some(0);
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let (hours, minutes) = text.strip_prefix(['+', '-'])?.split_once(':')?;
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    (hours < 24 && minutes < 60).then_some(sign * (hours as i32 * 60 + minutes as i32))
}

/// Appendix A of RFC 3339, and a fraction of seconds, which Rust's date libraries write.
fn duration(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('P') else { return false };
    let (days, clock) = match rest.split_once('T') {
        Some((days, clock)) => (days, Some(clock)),
        None => (rest, None),
    };
    if clock.is_none() && days.len() > 1 && units(days, "W", false) {
        return true;
    }
    let days_fit = days.is_empty() || units(days, "YMD", false);
    let clock_fits = clock.map_or(!days.is_empty(), |clock| units(clock, "HMS", true));
    days_fit && clock_fits
}

/// Whether the text is a run of numbers with units, in this order, none left out between the first and the last.
fn units(text: &str, order: &str, fraction: bool) -> bool {
    let mut rest = text;
    let mut units = order.chars().peekable();
    let mut begun = false;
    while !rest.is_empty() {
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Some(mut unit) = rest[length..].chars().next().filter(|_| length > 0) else { return false };
        rest = &rest[length..];
        if fraction && unit == '.' {
            let length = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
            rest = &rest[1 + length..];
            if length == 0 || rest != "S" {
                return false;
            }
            unit = 'S';
        }
        while units.next_if(|known| !begun && *known != unit).is_some() {}
        if units.next() != Some(unit) {
            return false;
        }
        begun = true;
        rest = &rest[1..];
    }
    begun
}

/// A dotted or quoted local part and a host: what mail servers take, not all that the grammar allows.
fn email(text: &str) -> bool {
    let Some((local, host)) = text.rsplit_once('@') else { return false };
    let atom = |char: char| char.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(char);
    let dotted = local.split('.').all(|part| !part.is_empty() && part.chars().all(atom));
    let quoted = local.len() > 2
        && local.starts_with('"')
        && local.ends_with('"')
        && local[1..local.len() - 1].bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\');
    let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let reachable = match literal {
        Some(address) => match address.strip_prefix("IPv6:") {
            Some(address) => Format::Ipv6.accepts(address),
            None => Format::Ipv4.accepts(address),
        },
        None => hostname(host),
    };
    local.len() <= 64 && (dotted || quoted) && reachable
}

fn hostname(text: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    text.len() <= 253 && text.split('.').all(label)
}

/// RFC 3986, with a scheme.
fn uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let scheme_fits = scheme.starts_with(|char: char| char.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let path = match rest.strip_prefix("//") {
        None => rest,
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            if !self::authority(authority) {
                return false;
            }
            path
        }
    };
    scheme_fits && of_uri(path, b":@/") && of_uri(query, b":@/?") && of_uri(fragment, b":@/?")
}

fn authority(text: &str) -> bool {
    let (user, host) = text.rsplit_once('@').unwrap_or(("", text));
    let (host, port) = match host.strip_prefix('[') {
        Some(host) => match host.split_once(']') {
            Some((address, port)) if Format::Ipv6.accepts(address) => ("", port),
            _ => return false,
        },
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let port = port.strip_prefix(':').or_else(|| port.is_empty().then_some(""));
    let port_fits = port.is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()));
    of_uri(user, b":") && of_uri(host, b"") && port_fits
}

/// Whether the text holds what every part of a URI may hold, and these besides.
fn of_uri(text: &str, besides: &[u8]) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().all(|(at, byte)| match byte {
        b'%' => bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)),
        byte => byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(byte) || besides.contains(byte),
    })
}

fn uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
