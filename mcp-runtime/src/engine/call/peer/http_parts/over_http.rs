//! Keeps the parts of an HTTP request for as long as its call lasts.

use std::{
    io::Write as _,
    sync::{Arc, OnceLock},
};

use http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, Uri, Version, request::Parts};

use super::HttpParts;

/// The parts of a request, as its connection has read them, or as a waiting call keeps them.
#[derive(Clone)]
pub(super) enum KeptParts {
    Whole(Arc<Parts>),
    Packed(Arc<PackedParts>),
}

/// A copy of the parts in one block of bytes. A waiting call does not keep the read buffer of its connection in memory,
/// and most calls never ask for the parts again.
pub(super) struct PackedParts {
    method: Method,
    version: Version,
    extensions: Extensions,
    /// The bytes of the URI, followed by the name and the value of each header.
    bytes: Box<[u8]>,
    uri: usize,
    headers: Box<[PackedHeader]>,
    unpacked: OnceLock<Arc<Parts>>,
}

/// The lengths of the name and the value of a header.
struct PackedHeader {
    name: usize,
    value: usize,
    is_sensitive: bool,
}

impl HttpParts {
    pub(crate) fn get(&self) -> Option<&Arc<Parts>> {
        Some(match self.parts.as_ref()? {
            KeptParts::Whole(parts) => parts,
            KeptParts::Packed(packed) => packed.unpacked.get_or_init(|| Arc::new(packed.unpack())),
        })
    }

    #[allow(dead_code, reason = "observers read them")]
    pub(crate) fn is_there(&self) -> bool {
        self.parts.is_some()
    }

    /// Returns the values of a header.
    #[allow(dead_code, reason = "observers read them")]
    pub(crate) fn header(&self, name: &str) -> Vec<&[u8]> {
        let values = self.get().into_iter().flat_map(|parts| parts.headers.get_all(name));
        values.map(HeaderValue::as_bytes).collect()
    }

    /// Copies the parts, so that a waiting call does not keep the read buffer of its connection in memory.
    pub(crate) fn detach(&mut self) {
        if let Some(KeptParts::Whole(parts)) = &self.parts {
            self.parts = Some(KeptParts::Packed(Arc::new(PackedParts::new(parts))));
        }
    }
}

impl From<Arc<Parts>> for HttpParts {
    fn from(parts: Arc<Parts>) -> Self {
        Self { parts: Some(KeptParts::Whole(parts)) }
    }
}

impl PackedParts {
    fn new(parts: &Parts) -> Self {
        let length: usize = parts.headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
        let mut bytes = Vec::with_capacity(length + 64);
        // Writing to memory does not fail.
        let _ = write!(bytes, "{}", parts.uri);
        let uri = bytes.len();
        let mut headers = Vec::with_capacity(parts.headers.len());
        for (name, value) in &parts.headers {
            bytes.extend_from_slice(name.as_str().as_bytes());
            bytes.extend_from_slice(value.as_bytes());
            let is_sensitive = value.is_sensitive();
            headers.push(PackedHeader { name: name.as_str().len(), value: value.len(), is_sensitive });
        }
        Self {
            method: parts.method.clone(),
            version: parts.version,
            extensions: parts.extensions.clone(),
            bytes: bytes.into(),
            uri,
            headers: headers.into(),
            unpacked: OnceLock::new(),
        }
    }

    fn unpack(&self) -> Parts {
        let (uri, mut rest) = self.bytes.split_at(self.uri);
        let mut parts = http::Request::new(()).into_parts().0;
        (parts.method, parts.version) = (self.method.clone(), self.version);
        parts.extensions = self.extensions.clone();
        // All bytes were copied from valid parts.
        parts.uri = Uri::try_from(uri).unwrap_or_default();
        parts.headers = HeaderMap::with_capacity(self.headers.len());
        for header in &self.headers {
            let (name, after) = rest.split_at(header.name);
            let (value, after) = after.split_at(header.value);
            if let (Ok(name), Ok(mut value)) = (HeaderName::from_bytes(name), HeaderValue::from_bytes(value)) {
                value.set_sensitive(header.is_sensitive);
                parts.headers.append(name, value);
            }
            rest = after;
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::Request;

    use super::*;

    #[test]
    fn detached_parts_are_equal_and_do_not_share_the_read_buffer() {
        let buffer = Bytes::from(b"/mcp?a=1 secret".to_vec());
        let mut parts = Request::post("/").version(Version::HTTP_11).extension(7_u8).body(()).unwrap().into_parts().0;
        parts.uri = Uri::from_maybe_shared(buffer.slice(..8)).unwrap();
        let mut secret = HeaderValue::from_maybe_shared(buffer.slice(9..)).unwrap();
        secret.set_sensitive(true);
        parts.headers.insert("cookie", secret);
        parts.headers.append("x-tag", HeaderValue::from_bytes(b"a\xff").unwrap());
        parts.headers.append("x-tag", HeaderValue::from_static(""));
        assert!(!buffer.is_unique());

        let whole = Arc::new(parts);
        let mut kept = HttpParts::from(Arc::clone(&whole));
        kept.detach();
        let headers = whole.headers.clone();
        drop(whole);
        let parts = kept.get().unwrap();
        assert_eq!(
            (&parts.method, parts.version, &*parts.uri.to_string()),
            (&Method::POST, Version::HTTP_11, "/mcp?a=1")
        );
        assert_eq!(parts.headers, headers);
        assert!(parts.headers["cookie"].is_sensitive());
        assert_eq!(parts.extensions.get(), Some(&7_u8));
        drop(headers);
        assert!(buffer.is_unique());
    }
}
