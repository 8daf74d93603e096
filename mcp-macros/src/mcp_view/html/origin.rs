//! Origins: a scheme and a host.

/// The schemes of the origins that a policy can name.
const ORIGIN_SCHEMES: [&str; 4] = ["http", "https", "ws", "wss"];

/// Returns the origin of an absolute URL, such as `https://api.example:8080`, in lower case. Returns `None` for relative
/// URLs, `data:` and `blob:`.
pub(super) fn of(url: &str) -> Option<String> {
    let url = url.trim();
    let (scheme, rest) = match url.strip_prefix("//") {
        Some(rest) => ("https", rest),
        None => url.split_once("://")?,
    };
    let scheme = scheme.to_ascii_lowercase();
    if !ORIGIN_SCHEMES.contains(&&*scheme) {
        return None;
    }
    let host = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = host.rsplit('@').next().unwrap_or_default().to_ascii_lowercase();
    (!host.is_empty()).then(|| format!("{scheme}://{host}"))
}

/// Returns whether the text is an origin that can stand in a policy. Hosts write the entries into a header, so any other
/// text could be a directive. `mcp-runtime/src/wire/protocol/view.rs` has the same rule.
pub(in crate::mcp_view) fn is_origin(text: &str) -> bool {
    let Some((scheme, host)) = text.split_once("://") else { return false };
    let (name, port) = host.rsplit_once(':').map_or((host, None), |(name, port)| (name, Some(port)));
    let name = name.strip_prefix("*.").unwrap_or(name);
    let is_label = |label: &str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    ORIGIN_SCHEMES.contains(&scheme)
        && name.split('.').all(is_label)
        && port.is_none_or(|port| port.parse::<u16>().is_ok())
}

/// Returns whether an entry of a policy allows this origin.
pub(in crate::mcp_view) fn covers(entry: &str, origin: &str) -> bool {
    let (Some((allowed, pattern)), Some((scheme, host))) = (entry.split_once("://"), origin.split_once("://")) else {
        return false;
    };
    // A policy for a scheme also allows the secure scheme of the same kind.
    let is_scheme = allowed == scheme || (allowed, scheme) == ("http", "https") || (allowed, scheme) == ("ws", "wss");
    let is_host = match pattern.strip_prefix('*') {
        Some(domain) => host.len() > domain.len() && host.ends_with(&domain.to_ascii_lowercase()),
        None => pattern.eq_ignore_ascii_case(host),
    };
    is_scheme && is_host
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_covers_its_origin_and_with_a_wildcard_all_subdomains() {
        for (entry, origin) in [
            ("https://api.example", "https://api.example"),
            ("https://API.example", "https://api.example"),
            ("http://api.example", "https://api.example"),
            ("https://*.example.com", "https://a.b.example.com"),
            ("https://*.example.com:8080", "https://a.example.com:8080"),
        ] {
            assert!(covers(entry, origin), "{entry} {origin}");
        }
        for (entry, origin) in [
            ("https://api.example", "http://api.example"),
            ("https://api.example", "wss://api.example"),
            ("https://api.example", "https://api.example:8080"),
            ("https://*.example.com", "https://example.com"),
            ("https://*.example.com", "https://badexample.com"),
        ] {
            assert!(!covers(entry, origin), "{entry} {origin}");
        }
    }
}
