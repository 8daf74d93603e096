//! The address of a server over HTTP.

use std::sync::Arc;

use http::{HeaderMap, Uri, uri::PathAndQuery};

use super::{authorizes::Authorizes, client::HttpClient, connector::TimedConnector};
use crate::{
    base::this_machine::is_this_machine,
    serve::remote::transport::{MAX_MESSAGE, TRUSTED_MAX_MESSAGE},
};

/// The address of a server, and what each request to it has.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    uri: Uri,
    /// Additional headers of each request.
    pub(crate) headers: HeaderMap,
    /// A longer message of the server is not kept, and fails its request.
    pub(crate) max_message: usize,
    authorization: Option<Arc<dyn Authorizes>>,
    client: HttpClient,
}

impl Endpoint {
    /// Parses an `http` or `https` URL. `https` needs the feature `remote`, and trusts the certificates of the system.
    ///
    /// # Errors
    /// Says what is wrong with the URL, or with the certificates.
    pub(crate) fn parse(url: &str) -> Result<Self, String> {
        let uri = read(url)?;
        let client = client_of(&uri)?;
        Ok(Self { uri, headers: HeaderMap::new(), max_message: MAX_MESSAGE, authorization: None, client })
    }

    /// Parses the URL of a server that its own author runs, which is trusted with large messages.
    ///
    /// # Errors
    /// Says what is wrong with the URL, or with the certificates.
    pub(crate) fn trusted(url: &str) -> Result<Self, String> {
        Ok(Self { max_message: TRUSTED_MAX_MESSAGE, ..Self::parse(url)? })
    }

    /// Makes the endpoint trust these certificates, and no others.
    ///
    /// # Errors
    /// Fails if the cryptography of `rustls` supports no version of TLS.
    #[cfg(feature = "remote")]
    pub(crate) fn with_roots(self, roots: rustls::RootCertStore) -> Result<Self, String> {
        let client = HttpClient::new(TimedConnector::new(super::tls::of_roots(roots)?));
        Ok(Self { client, ..self })
    }

    /// Makes `authorization` authorize each request. It is not shared with other endpoints, which must not get its token.
    ///
    /// # Errors
    /// Fails if others could read the requests.
    pub(crate) fn authorized_by(self, authorization: Arc<dyn Authorizes>) -> Result<Self, String> {
        is_private(&self.uri)?;
        Ok(Self { authorization: Some(authorization), ..self })
    }

    pub(crate) fn authorization(&self) -> Option<&dyn Authorizes> {
        self.authorization.as_deref()
    }

    pub(crate) fn uri(&self) -> &Uri {
        &self.uri
    }

    pub(crate) fn url(&self) -> String {
        self.uri.to_string()
    }

    /// Returns the host and the port.
    pub(crate) fn authority(&self) -> &str {
        self.uri.authority().map(|authority| authority.as_str()).unwrap_or_default()
    }

    pub(crate) fn path(&self) -> &str {
        self.uri.path_and_query().map_or("/", PathAndQuery::as_str)
    }

    pub(crate) fn client(&self) -> &HttpClient {
        &self.client
    }

    /// Returns a client for another URL that has to do with this endpoint.
    ///
    /// # Errors
    /// Says what is wrong with the URL, or with the certificates.
    pub(crate) fn client_for(&self, uri: &Uri) -> Result<HttpClient, String> {
        if uri.scheme() == self.uri.scheme() { Ok(self.client.clone()) } else { client_of(uri) }
    }

    /// Returns another path of the same server, without authorization.
    ///
    /// # Errors
    /// Fails if the path is not valid.
    pub(crate) fn at(&self, path: &str) -> Result<Self, String> {
        let mut parts = self.uri.clone().into_parts();
        let failed = |error: &dyn std::fmt::Display| format!("`{path}` is not a path: {error}");
        parts.path_and_query = Some(path.parse().map_err(|error| failed(&error))?);
        let uri = Uri::from_parts(parts).map_err(|error| failed(&error))?;
        Ok(Self { uri, authorization: None, ..self.clone() })
    }
}

/// Fails if others could read the requests to this URL.
pub(crate) fn is_private(uri: &Uri) -> Result<(), String> {
    if uri.scheme_str() == Some("https") || uri.host().is_some_and(is_this_machine) {
        return Ok(());
    }
    Err(format!("`{uri}` gets no credentials, because others could read them; use `https`"))
}

fn read(url: &str) -> Result<Uri, String> {
    let uri: Uri = url.parse().map_err(|error| format!("`{url}` is not a URL: {error}"))?;
    let authority = uri.authority().filter(|_| matches!(uri.scheme_str(), Some("http" | "https")));
    let Some(authority) = authority else {
        return Err(format!("`{url}` is not an `http` URL; write one such as `http://127.0.0.1:8080/mcp`"));
    };
    if authority.as_str().contains('@') {
        let host = authority.host();
        return Err(format!("the URL of `{host}` has a user name or a password, which is not supported; use a header"));
    }
    if !cfg!(feature = "remote") && uri.scheme_str() == Some("https") {
        return Err(format!("`{url}` needs TLS; enable the feature `remote` of `mcp-runtime`"));
    }
    Ok(uri)
}

#[cfg(not(feature = "remote"))]
fn client_of(_: &Uri) -> Result<HttpClient, String> {
    Ok(HttpClient::new(TimedConnector::new()))
}

#[cfg(feature = "remote")]
fn client_of(uri: &Uri) -> Result<HttpClient, String> {
    let config = match uri.scheme_str() {
        Some("https") => super::tls::of_system()?,
        _ => super::tls::of_roots(rustls::RootCertStore::empty())?,
    };
    Ok(HttpClient::new(TimedConnector::new(config)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_that_cannot_be_used_are_explained() {
        for (url, why) in [
            ("", "is not a URL"),
            ("/mcp", "is not an `http` URL"),
            ("ftp://a/mcp", "is not an `http` URL"),
            ("http://ann:s3cr3t@a/mcp", "the URL of `a` has a user name or a password"),
        ] {
            let error = Endpoint::parse(url).unwrap_err();
            assert!(error.contains(why) && !error.contains("s3cr3t"), "{error}");
        }
    }

    #[test]
    fn a_path_is_replaced_and_the_rest_stays() {
        let endpoint = Endpoint::parse("http://127.0.0.1:8080/mcp?a=1").unwrap();
        assert_eq!((endpoint.authority(), endpoint.path()), ("127.0.0.1:8080", "/mcp?a=1"));
        assert_eq!(endpoint.at("/health").unwrap().url(), "http://127.0.0.1:8080/health");
        assert!(endpoint.at("a b").is_err());
    }

    #[test]
    fn credentials_are_sent_to_this_machine_or_encrypted() {
        let is_private = |url: &str| is_private(&url.parse().unwrap()).is_ok();
        assert!(is_private("https://example.com/mcp") && is_private("http://localhost:1/mcp"));
        assert!(is_private("http://[::1]:1/mcp") && !is_private("http://example.com/mcp"));
    }

    #[cfg(not(feature = "remote"))]
    #[test]
    fn https_names_the_feature_that_it_needs() {
        assert!(Endpoint::parse("https://example.com/mcp").unwrap_err().contains("the feature `remote`"));
    }
}
