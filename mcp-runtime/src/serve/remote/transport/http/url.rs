//! The address of a server over HTTP.

use http::{HeaderMap, Uri};

/// The address of a server, and additional headers of each request.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    pub(crate) authority: String,
    pub(crate) address: String,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
}

impl Endpoint {
    /// Parses an `http` URL. The error says what is wrong with the URL.
    pub(crate) fn parse(url: &str) -> Result<Self, String> {
        let uri: Uri = url.parse().map_err(|error| format!("`{url}` is not a URL: {error}"))?;
        let authority = uri.authority().filter(|_| uri.scheme_str() == Some("http"));
        let Some(authority) = authority else {
            return Err(format!("`{url}` is not an `http` URL; write one such as `http://127.0.0.1:8080/mcp`"));
        };
        let address = format!("{}:{}", authority.host(), authority.port_u16().unwrap_or(80));
        let path = uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
        Ok(Self { authority: authority.to_string(), address, path, headers: HeaderMap::new() })
    }

    #[cfg(feature = "dev")]
    pub(crate) fn url(&self) -> String {
        format!("http://{}{}", self.authority, self.path)
    }
}
