//! Keeps the parts of an HTTP request for as long as its call lasts.

use std::{io::Write as _, sync::Arc};

use bytes::Bytes;
use http::{HeaderValue, Uri, request::Parts};

use super::HttpParts;

impl HttpParts {
    pub(crate) fn get(&self) -> Option<&Arc<Parts>> {
        self.parts.as_ref()
    }

    #[allow(dead_code, reason = "observers read them")]
    pub(crate) fn is_there(&self) -> bool {
        self.parts.is_some()
    }

    /// Returns the values of a header.
    #[allow(dead_code, reason = "observers read them")]
    pub(crate) fn header(&self, name: &str) -> Vec<&[u8]> {
        let values = self.parts.iter().flat_map(|parts| parts.headers.get_all(name));
        values.map(HeaderValue::as_bytes).collect()
    }

    /// Copies the parts, so that a waiting call does not keep the read buffer of its connection in memory.
    pub(crate) fn detach(&mut self) {
        if let Some(parts) = &mut self.parts {
            *parts = Arc::new(detached(parts));
        }
    }
}

impl From<Arc<Parts>> for HttpParts {
    fn from(parts: Arc<Parts>) -> Self {
        Self { parts: Some(parts) }
    }
}

/// Returns a copy of the parts. The copy does not use the read buffer of the connection.
fn detached(parts: &Parts) -> Parts {
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
        // The bytes were copied from a valid header value.
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
    fn detached_parts_are_equal_and_do_not_share_the_read_buffer() {
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
