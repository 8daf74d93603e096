//! Copies of the parts of an HTTP request, for calls that wait.

use std::io::Write as _;

use bytes::Bytes;
use http::{HeaderValue, Uri, request::Parts};

/// Copies the parts out of the connection's read buffer, which a waiting call would otherwise keep alive. The copies
/// share one buffer.
pub(super) fn detached(parts: &Parts) -> Parts {
    let mut parts = parts.clone();
    let mut buffer = Vec::with_capacity(parts.headers.values().map(HeaderValue::len).sum::<usize>() + 64);
    parts.headers.values().for_each(|value| buffer.extend_from_slice(value.as_bytes()));
    let end_of_headers = buffer.len();
    // Writing to memory does not fail.
    let _ = write!(buffer, "{}", parts.uri);
    let buffer = Bytes::from(buffer);
    let mut begin = 0;
    for value in parts.headers.values_mut() {
        let end = begin + value.len();
        // The bytes come from a header value, so this cannot fail.
        if let Ok(mut copy) = HeaderValue::from_maybe_shared(buffer.slice(begin..end)) {
            copy.set_sensitive(value.is_sensitive());
            *value = copy;
        }
        begin = end;
    }
    if let Ok(uri) = Uri::from_maybe_shared(buffer.slice(end_of_headers..)) {
        parts.uri = uri;
    }
    parts
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    #[test]
    fn detached_parts_are_equal_and_do_not_share_the_buffer() {
        let buffer = Bytes::from(b"/mcp?a=1 secret".to_vec());
        let mut parts = Request::new(()).into_parts().0;
        parts.uri = Uri::from_maybe_shared(buffer.slice(..8)).unwrap();
        let mut secret = HeaderValue::from_maybe_shared(buffer.slice(9..)).unwrap();
        secret.set_sensitive(true);
        parts.headers.insert("cookie", secret);
        assert!(!buffer.is_unique());

        let detached = detached(&parts);
        drop(parts);
        assert!(buffer.is_unique());
        assert_eq!(detached.uri, "/mcp?a=1");
        assert_eq!(detached.headers["cookie"], "secret");
        assert!(detached.headers["cookie"].is_sensitive());
    }
}
