//! Formats of e-mail addresses, hosts and URIs.

use super::Format;

/// Checks a dotted or quoted local part and a host, as mail servers accept them: stricter than the grammar.
pub(super) fn email(text: &str) -> bool {
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

pub(super) fn hostname(text: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    text.len() <= 253 && text.split('.').all(label)
}

/// Checks a URI of RFC 3986 with a scheme.
pub(super) fn uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let scheme_fits = scheme.starts_with(|char: char| char.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let path = match rest.strip_prefix("//") {
        None => rest,
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            if !is_authority(authority) {
                return false;
            }
            path
        }
    };
    scheme_fits && of_uri(path, b":@/") && of_uri(query, b":@/?") && of_uri(fragment, b":@/?")
}

fn is_authority(text: &str) -> bool {
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

/// Returns whether the text contains only characters allowed in every part of a URI, or in `besides`.
fn of_uri(text: &str, besides: &[u8]) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().all(|(at, byte)| match byte {
        b'%' => bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)),
        byte => byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(byte) || besides.contains(byte),
    })
}
