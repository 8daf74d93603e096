//! The URL of a model's server.

use reqwest::Url;

use super::error::ModelError;
use crate::base::{api_key::HIDDEN, this_machine::is_this_machine};

/// The length from which a part of the path can be a secret.
const SECRET: usize = 8;

/// A URL without user, password, query and fragment.
#[derive(Clone, Debug)]
pub(super) struct Address(Url);

impl Address {
    pub(super) fn read(url: &str, model: &str) -> Result<Self, ModelError> {
        let wrong = |problem| ModelError::Url { model: model.to_owned(), problem };
        let url = Url::parse(url.trim())
            .map_err(|_| wrong("is not a URL; write it with its scheme, such as `http://127.0.0.1:8000/v1`"))?;
        if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
            return Err(wrong("is not `http` or `https`; write it like `http://127.0.0.1:8000/v1`"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(wrong("contains a user or a password; leave them out, and set a key with `.api_key(…)`"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("contains a query or a fragment; remove everything from `?` or `#` on"));
        }
        Ok(Self(url))
    }

    /// Parses the address of an Ollama server in the same way as Ollama's own programs parse `OLLAMA_HOST`. The scheme
    /// and the port are optional, and the wildcard address means the local machine.
    pub(super) fn ollama(host: &str, model: &str) -> Result<Self, ModelError> {
        const PORT: u16 = 11434;
        let host = host.trim();
        let mut address = match host {
            "" => Self::read("http://127.0.0.1", model)?,
            _ if host.contains("://") => return Self::read(host, model),
            _ if host.starts_with(':') => Self::read(&format!("http://127.0.0.1{host}"), model)?,
            _ => Self::read(&format!("http://{host}"), model)?,
        };
        let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        if !has_port {
            // Cannot fail: an HTTP URL can have a port.
            let _ = address.0.set_port(Some(PORT));
        }
        if matches!(address.0.host_str(), Some("0.0.0.0" | "[::]")) {
            let _ = address.0.set_host(Some("127.0.0.1"));
        }
        Ok(address)
    }

    pub(super) fn join(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        url.set_path(&format!("{}/{path}", self.0.path().trim_end_matches('/')));
        url
    }

    pub(super) fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    pub(super) fn port(&self) -> Option<u16> {
        self.0.port_or_known_default()
    }

    pub(super) fn is_https(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Returns whether the server runs on the local machine.
    pub(super) fn is_here(&self) -> bool {
        is_this_machine(self.host())
    }

    /// Returns the scheme, host and port. Only this part of the URL may appear in a log or an error.
    pub(super) fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// Replaces the parts of the path that can be secret. Parts shorter than [`SECRET`] characters, such as `v1`, stay.
    pub(super) fn hide_path(&self, text: &str) -> String {
        let parts = self.0.path().split('/').filter(|part| part.len() >= SECRET);
        parts.fold(text.to_owned(), |text, part| text.replace(part, HIDDEN))
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    fn ollama(host: &str) -> String {
        Address::ollama(host, "m").unwrap().join("").as_str().trim_end_matches('/').to_owned()
    }

    #[test]
    fn reads_the_address_of_ollama_as_its_own_programs_do() {
        assert_eq!(ollama(""), "http://127.0.0.1:11434");
        assert_eq!(ollama("0.0.0.0"), "http://127.0.0.1:11434");
        assert_eq!(ollama("0.0.0.0:5000"), "http://127.0.0.1:5000");
        assert_eq!(ollama(":5000"), "http://127.0.0.1:5000");
        assert_eq!(ollama("[::]:5000"), "http://127.0.0.1:5000");
        assert_eq!(ollama("gpu.local"), "http://gpu.local:11434");
        assert_eq!(ollama("gpu.local:80"), "http://gpu.local");
        assert_eq!(ollama(" https://gpu.local/ollama/ "), "https://gpu.local/ollama");
    }

    #[test]
    fn joins_a_path_to_the_whole_url() {
        let joined = |url| Address::read(url, "m").unwrap().join("chat/completions").to_string();
        assert_eq!(joined("http://h/v1"), "http://h/v1/chat/completions");
        assert_eq!(joined("http://h/v1/"), "http://h/v1/chat/completions");
        assert_eq!(joined("http://h"), "http://h/chat/completions");
    }

    #[test]
    fn an_error_does_not_show_an_invalid_url() {
        for url in ["", "h:8000/v1", "ftp://h/", "file:///secret", "http://user:secret@h/", "http://h/?key=secret"] {
            let error = Address::read(url, "m").unwrap_err().to_string();
            assert!(error.starts_with("the URL of the model `m` ") && !error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn shows_the_origin_and_hides_a_secret_in_the_path() {
        let address = Address::read("https://h:8443/v1/s3cr3t-t0ken/", "m").unwrap();
        assert_eq!(address.origin(), "https://h:8443");
        assert_eq!(address.hide_path("no /v1/s3cr3t-t0ken/chat here"), "no /v1/***/chat here");
    }

    #[test]
    fn recognizes_the_local_machine() {
        let here = |url| Address::read(url, "m").unwrap().is_here();
        assert!(here("http://localhost:1") && here("http://127.0.0.2") && here("http://[::1]:80"));
        assert!(!here("http://192.168.0.1") && !here("https://localhost.example"));
    }
}
