//! Formats of e-mail addresses, hosts and URIs. The `const` functions can check defaults at compile time.

/// Checks an e-mail address: a local part, `@` and a host. The check is stricter than the grammar of the RFC, because
/// mail servers are stricter too.
///
/// Returns `None` if the text is invalid. If the host is a name, returns an empty slice. If the host is an IP address
/// in brackets, returns the text between the brackets. The caller must check this text.
pub(crate) const fn email(text: &[u8]) -> Option<&[u8]> {
    let mut at = text.len();
    while at > 0 && text[at - 1] != b'@' {
        at -= 1;
    }
    let (local, host) = text.split_at(at);
    let [local @ .., b'@'] = local else { return None };
    let (reachable, address): (bool, &[u8]) = match host {
        [b'[', address @ .., b']'] => (!address.is_empty(), address),
        host => (hostname(host), &[]),
    };
    let fits = local.len() <= 64 && (is_dotted(local) || is_quoted(local)) && reachable;
    if fits { Some(address) } else { None }
}

const fn is_dotted(mut local: &[u8]) -> bool {
    let mut before = b'.';
    while let [byte, rest @ ..] = local {
        let of_word = byte.is_ascii_alphanumeric() || has(b"!#$%&'*+-/=?^_`{|}~", *byte);
        if !of_word && (*byte != b'.' || before == b'.') {
            return false;
        }
        (before, local) = (*byte, rest);
    }
    before != b'.'
}

const fn is_quoted(local: &[u8]) -> bool {
    let [b'"', text @ .., b'"'] = local else { return false };
    let (is_empty, mut text) = (text.is_empty(), text);
    while let [b' '..=b'~', rest @ ..] = text
        && !has(b"\"\\", text[0])
    {
        text = rest;
    }
    text.is_empty() && !is_empty
}

/// Checks a host name: labels of letters, digits and `-`, separated by dots.
pub(super) const fn hostname(text: &[u8]) -> bool {
    let (mut left, mut before, mut length) = (text, b'.', 0);
    while let [byte, rest @ ..] = left {
        let fits = match byte {
            b'.' => before != b'.' && before != b'-',
            b'-' => before != b'.',
            byte => byte.is_ascii_alphanumeric(),
        };
        length = if *byte == b'.' { 0 } else { length + 1 };
        if !fits || length > 63 {
            return false;
        }
        (left, before) = (rest, *byte);
    }
    before != b'.' && before != b'-' && text.len() <= 253
}

/// Checks a URI of RFC 3986 with a scheme. Also accepts characters outside of ASCII, as in RFC 3987: types for URLs read
/// them, and people type them.
///
/// Returns `None` if the text is invalid. If the host is a name or missing, returns an empty slice. If the host is an
/// IP address in brackets, returns the text between the brackets. The caller must check this text.
pub(crate) const fn uri(text: &[u8]) -> Option<&[u8]> {
    let (scheme, [b':', rest @ ..]) = until(text, b':') else { return None };
    let (rest, fragment) = until(rest, b'#');
    let (rest, query) = until(rest, b'?');
    let (address, path): (Option<&[u8]>, _) = match rest {
        [b'/', b'/', rest @ ..] => {
            let (authority, path) = until(rest, b'/');
            (of_authority(authority), path)
        }
        path => (Some(&[]), path),
    };
    let fragment = match fragment {
        [b'#', fragment @ ..] => fragment,
        none => none,
    };
    let fits = is_scheme(scheme) && of_uri(path, b":@/") && of_uri(query, b":@/?") && of_uri(fragment, b":@/?");
    if fits { address } else { None }
}

const fn is_scheme(scheme: &[u8]) -> bool {
    let [first, rest @ ..] = scheme else { return false };
    let mut rest = rest;
    while let [byte, more @ ..] = rest
        && (byte.is_ascii_alphanumeric() || has(b"+-.", *byte))
    {
        rest = more;
    }
    first.is_ascii_alphabetic() && rest.is_empty()
}

const fn of_authority(text: &[u8]) -> Option<&[u8]> {
    let (user, host) = match until(text, b'@') {
        (user, [b'@', host @ ..]) => (user, host),
        (host, none) => (none, host),
    };
    let (name, address, mut port): (&[u8], &[u8], _) = match (host, until(host, b']'), until(host, b':')) {
        ([b'[', ..], ([_, address @ ..], [_, port @ ..]), _) if !address.is_empty() => (&[], address, port),
        ([b'[', ..], ..) => return None,
        (_, _, (name, port)) => (name, &[], port),
    };
    if let [b':', digits @ ..] = port {
        port = digits;
        while let [b'0'..=b'9', rest @ ..] = port {
            port = rest;
        }
    }
    if of_uri(user, b":") && of_uri(name, b"") && port.is_empty() { Some(address) } else { None }
}

/// Returns whether the text contains only characters allowed in every part of a URI, or in `besides`.
const fn of_uri(mut text: &[u8], besides: &[u8]) -> bool {
    loop {
        text = match text {
            [] => return true,
            [b'%', high, low, rest @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => rest,
            [byte, rest @ ..]
                if byte.is_ascii_alphanumeric()
                    || !byte.is_ascii()
                    || has(b"-._~!$&'()*+,;=", *byte)
                    || has(besides, *byte) =>
            {
                rest
            }
            _ => return false,
        };
    }
}

/// Splits the text before the first `end`. If the text has no `end`, the second part is empty.
const fn until(text: &[u8], end: u8) -> (&[u8], &[u8]) {
    let mut at = 0;
    while at < text.len() && text[at] != end {
        at += 1;
    }
    text.split_at(at)
}

const fn has(bytes: &[u8], byte: u8) -> bool {
    let mut at = 0;
    while at < bytes.len() && bytes[at] != byte {
        at += 1;
    }
    at < bytes.len()
}
