//! URLs that identify servers in tokens and metadata. They are compared byte by byte, so only one spelling is accepted.

use http::Uri;

use crate::base::this_machine::is_this_machine;

/// The well-known path of the protected resource metadata, relative to the root of a host or to an endpoint.
pub(super) const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// An `https` URL, or an `http` URL of the local machine.
#[derive(Debug)]
pub(super) struct Url<'a> {
    /// The scheme and authority of the URL, such as `https://mcp.example.com`.
    pub(super) origin: &'a str,
    /// The path of the URL. It is empty, or starts with a slash.
    pub(super) path: &'a str,
}

impl<'a> Url<'a> {
    /// # Errors
    /// Returns what is wrong with the text, as a clause such as `it contains a user name`.
    pub(super) fn read(text: &'a str) -> Result<Self, &'static str> {
        if text.contains(['#', '?']) {
            return Err("it has a query or a fragment");
        }
        let Ok(uri) = text.parse::<Uri>() else { return Err("it is not a URL") };
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err("it is not a complete URL");
        };
        if authority.as_str().contains('@') {
            return Err("it contains a user name");
        }
        let usual_port = match scheme {
            "https" => 443,
            "http" if is_this_machine(authority.host()) => 80,
            "http" => return Err("`http` is allowed for the local machine only"),
            _ => return Err("its scheme is not `https`"),
        };
        let end = scheme.len() + "://".len() + authority.as_str().len();
        let (Some(origin), Some(path)) = (text.get(..end), text.get(end..)) else { return Err("it is not a URL") };
        if origin.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err("its scheme and host must be in lower case");
        }
        if authority.port_u16().is_some_and(|port| port == usual_port) || authority.as_str().ends_with(':') {
            return Err("the default port must be left out");
        }
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/%".contains(&byte);
        if !path.bytes().all(is_plain) {
            return Err("its path must contain only letters, digits and `-._~/%`");
        }
        Ok(Self { origin, path: if path == "/" { "" } else { path } })
    }
}

impl Url<'_> {
    /// Whether the URL names the local machine.
    pub(super) fn is_of_this_machine(&self) -> bool {
        self.origin.parse::<Uri>().is_ok_and(|uri| uri.host().is_some_and(is_this_machine))
    }
}

/// Returns the well-known metadata URL of a resource, and the path of that URL.
pub(super) fn well_known(resource: &str) -> (String, String) {
    // An invalid URL was already reported, so no service is built with it.
    let Ok(Url { origin, path }) = Url::read(resource) else { return (String::new(), WELL_KNOWN.to_owned()) };
    (format!("{origin}{WELL_KNOWN}{path}"), format!("{WELL_KNOWN}{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_a_url_into_origin_and_path() {
        for (text, origin, path) in [
            ("https://mcp.example.com", "https://mcp.example.com", ""),
            ("https://mcp.example.com/", "https://mcp.example.com", ""),
            ("https://mcp.example.com:8443/v1/mcp", "https://mcp.example.com:8443", "/v1/mcp"),
            ("http://localhost:3000/mcp", "http://localhost:3000", "/mcp"),
            ("http://127.0.0.1:3000/mcp/", "http://127.0.0.1:3000", "/mcp/"),
            ("http://[::1]:3000", "http://[::1]:3000", ""),
        ] {
            let url = Url::read(text).unwrap();
            assert_eq!((url.origin, url.path), (origin, path), "{text}");
        }
    }

    #[test]
    fn recognizes_the_local_machine() {
        let is_here = |text| Url::read(text).unwrap().is_of_this_machine();
        assert!(is_here("http://localhost:3000/mcp") && is_here("https://[::1]") && is_here("https://127.0.0.2/mcp"));
        assert!(!is_here("https://mcp.example.com/mcp") && !is_here("https://localhost.example.com"));
    }

    #[test]
    fn rejects_a_url_with_a_second_spelling() {
        for text in [
            "",
            "/mcp",
            "mcp.example.com",
            "mcp.example.com/mcp",
            "http://mcp.example.com/mcp",
            "http://localhost.example.com",
            "ftp://mcp.example.com",
            "HTTPS://mcp.example.com",
            "https://MCP.example.com",
            "https://mcp.example.com:443/mcp",
            "https://mcp.example.com:/mcp",
            "http://localhost:80/mcp",
            "https://ann:secret@mcp.example.com",
            "https://mcp.example.com/mcp?x=1",
            "https://mcp.example.com/mcp#x",
            "https://mcp.example.com/{mcp}",
            "https://mcp.example.com/:mcp",
            "https://mcp.example.com/*",
            "https://mcp.example.com/mcp mcp",
        ] {
            assert!(Url::read(text).is_err(), "{text}");
        }
    }
}
