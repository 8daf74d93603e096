//! The parts of an HTTP request except its body. Calls that wait keep copies of these parts.

#[cfg(feature = "http")]
mod over_http;

/// The parts of an HTTP request except its body. Empty for other transports.
#[derive(Clone, Default)]
pub(crate) struct HttpParts {
    #[cfg(feature = "http")]
    parts: Option<over_http::KeptParts>,
}

#[cfg(not(feature = "http"))]
#[allow(dead_code, reason = "observers read them")]
impl HttpParts {
    pub(crate) fn is_there(&self) -> bool {
        false
    }

    pub(crate) fn header(&self, _name: &str) -> Vec<&[u8]> {
        Vec::new()
    }

    pub(crate) fn detach(&mut self) {}
}
