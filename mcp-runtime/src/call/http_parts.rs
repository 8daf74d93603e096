//! The parts of an HTTP request, for as long as its call lasts.

use http::{HeaderValue, request::Parts};

/// Copies the parts out of the buffer that the connection was read into: a call that waits would keep all of it.
pub(super) fn detached(parts: &Parts) -> Parts {
    let mut parts = parts.clone();
    for value in parts.headers.values_mut() {
        // It is one, so it can be read as one.
        if let Ok(mut copy) = HeaderValue::from_bytes(value.as_bytes()) {
            copy.set_sensitive(value.is_sensitive());
            *value = copy;
        }
    }
    if let Ok(uri) = parts.uri.to_string().parse() {
        parts.uri = uri;
    }
    parts
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::{Request, Uri};

    use super::*;

    #[test]
    fn detached_parts_say_the_same_and_share_no_buffer() {
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
