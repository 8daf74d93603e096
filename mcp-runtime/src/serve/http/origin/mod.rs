//! Checks the `Host` and `Origin` of a request.
//!
//! The owner of a web page can resolve the page's domain to 127.0.0.1. The browser then lets the page's scripts call a
//! local server as if it were the server of the page ("DNS rebinding"). The page cannot forge `Host` or `Origin`, so
//! both headers still contain the page's domain. A header that cannot be parsed is rejected.

mod authority;
pub(super) mod cors;

use std::sync::OnceLock;

use http::{
    HeaderMap, HeaderName, HeaderValue, Method, Uri,
    header::{HOST, ORIGIN},
};

use self::authority::{Authority, Origin};
use crate::wire::protocol::{headers::SentHeader, text::shortened};

static SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The host names that clients can use for a server over HTTP, and the web origins whose pages can call the server.
///
/// Any page in a user's browser can send requests to a server on the same machine or behind the same firewall ("DNS
/// rebinding"). So the server answers 403 to a request whose `Host` is not allowed, or that has an `Origin` that is not
/// allowed. By default, only names of the local machine are allowed: `localhost`, `127.0.0.0/8` and `[::1]`, at any
/// port; and the host of the URL in [`Authorization::new`](crate::auth::Authorization::new), if the server has one.
///
/// ```
/// use mcp_runtime::http::AllowedHosts;
///
/// // Allows the public name, and clients on the machine itself.
/// let hosts = AllowedHosts::new(["mcp.example.com", "localhost:8080"]);
///
/// // Also allows the pages of another application.
/// let hosts = hosts.origins(["https://app.example.com"]);
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct AllowedHosts {
    hosts: Vec<Rule<Authority>>,
    /// The allowed origins. `None` allows the origins of the allowed hosts.
    origins: Option<Vec<Rule<Origin>>>,
    problems: Vec<String>,
    /// The first `Host` that was allowed. Most requests have this same `Host`, which the server recognizes without
    /// parsing.
    known: OnceLock<Box<[u8]>>,
}

/// A host or an origin that the author allows.
#[derive(Clone, Debug)]
enum Rule<T> {
    Any,
    Loopback,
    Named(T),
}

impl AllowedHosts {
    /// Allows these hosts only. `mcp.example.com` allows every port, and `mcp.example.com:8443` allows only this port.
    /// Write IP addresses like `192.0.2.7` and `[2001:db8::7]`. `*` allows every host, and the pages of every origin.
    /// Use `*` only if the server has another protection, such as a proxy that checks `Host`, or tokens that no browser
    /// sends by itself.
    ///
    /// An invalid host is an error of [`Server::build`](crate::Server::build).
    pub fn new<H: AsRef<str>>(hosts: impl IntoIterator<Item = H>) -> Self {
        let mut allowed = Self { hosts: Vec::new(), origins: None, problems: Vec::new(), known: OnceLock::new() };
        for host in hosts {
            match host.as_ref().trim() {
                "*" => allowed.hosts.push(Rule::Any),
                host => match Authority::read(host) {
                    Some(authority) => allowed.hosts.push(Rule::Named(authority)),
                    None => allowed.problems.push(format!(
                        "allowed hosts: `{}` is not a host: write it like `mcp.example.com` or `mcp.example.com:8443`, \
                         without a scheme or path; write non-ASCII names in the form `xn--…`",
                        shortened(host),
                    )),
                },
            }
        }
        if allowed.hosts.is_empty() && allowed.problems.is_empty() {
            allowed.problems.push("allowed hosts: the list is empty; name at least one host".to_owned());
        }
        allowed
    }

    /// Allows pages of these origins, instead of pages of the allowed hosts. Write an origin like
    /// `https://app.example.com`, with the port if it is not the scheme's default. `*` allows every page. Requests
    /// without `Origin` are not affected; most clients send none.
    pub fn origins<O: AsRef<str>>(mut self, origins: impl IntoIterator<Item = O>) -> Self {
        let given = self.origins.get_or_insert_default();
        for origin in origins {
            match origin.as_ref().trim() {
                "*" => given.push(Rule::Any),
                "null" => self.problems.push(
                    "allowed origins: any page can send `null`, so it is not allowed; write `*` to allow every page"
                        .to_owned(),
                ),
                origin => match Origin::read(origin) {
                    Some(origin) => given.push(Rule::Named(origin)),
                    None => self.problems.push(format!(
                        "allowed origins: `{}` is not an origin: write it like `https://app.example.com`, without a \
                         path",
                        shortened(origin),
                    )),
                },
            }
        }
        self
    }

    /// Allows pages of these origins only, and forgets the origins that were allowed before.
    pub(crate) fn only_origins<O: AsRef<str>>(mut self, origins: impl IntoIterator<Item = O>) -> Self {
        self.origins = None;
        self.origins(origins)
    }

    /// Also allows this host, unless the author has named the allowed hosts.
    pub(crate) fn or_host(&mut self, host: &str) {
        if self.is_of_this_machine()
            && let Some(authority) = Authority::read(host)
        {
            self.hosts.push(Rule::Named(authority));
        }
    }

    /// Whether only host names of the local machine are allowed.
    pub(crate) fn is_of_this_machine(&self) -> bool {
        self.hosts.iter().all(|rule| matches!(rule, Rule::Loopback))
    }

    /// Returns the scheme, host and port under which the sender of a request reaches the server, if the host of the
    /// request is allowed. `forwarded` is the scheme that a proxy has seen. Without it, only a host that is clearly not
    /// public has `http`.
    pub(crate) fn origin_of(&self, host: &str, forwarded: Option<&str>) -> Option<String> {
        let authority = Authority::read(host).filter(|_| self.rules_allow_host(host.as_bytes()))?;
        let scheme = match forwarded {
            Some(scheme @ ("http" | "https")) => scheme,
            _ if authority.is_public() => "https",
            _ => "http",
        };
        Some(format!("{scheme}://{host}"))
    }

    /// Returns the author's mistakes, as one sentence for each.
    pub(crate) fn problems(&self) -> &[String] {
        &self.problems
    }

    /// Checks a request with this method, this target and these headers. Returns its `Origin`, if it has one.
    ///
    /// # Errors
    /// Returns the reason why the request gets 403.
    pub(crate) fn check<'h>(
        &self,
        method: &Method,
        target: &Uri,
        headers: &'h HeaderMap,
    ) -> Result<Option<&'h HeaderValue>, OriginError> {
        let sender = SenderHeaders::read(headers);
        if !has_any(&self.hosts) {
            self.check_host(target, &sender.host)?;
        }
        if self.origins.as_ref().map_or_else(|| has_any(&self.hosts), |origins| has_any(origins)) {
            return Ok(sender.origin.first());
        }
        let origin = sender.origin.only(OriginError::OriginTwice)?;
        match origin {
            Some(origin) if !self.allows_origin(origin) => return Err(OriginError::Origin(text(origin))),
            None if !method.is_safe() => check_site(sender.site.first())?,
            _ => {}
        }
        Ok(origin)
    }

    /// Checks the `Host` header and the host in the request target. Requests over HTTP/2 and requests to a proxy have a
    /// host in the target. If both hosts are present, both must be allowed.
    fn check_host(&self, target: &Uri, host: &SentHeader<'_>) -> Result<(), OriginError> {
        let host = host.only(OriginError::HostTwice)?.map(HeaderValue::as_bytes);
        let named = [target.authority().map(|authority| authority.as_str().as_bytes()), host];
        let mut named = named.into_iter().flatten().peekable();
        named.peek().ok_or(OriginError::HostMissing)?;
        match named.find(|host| !self.allows_host(host)) {
            Some(host) => Err(OriginError::Host(String::from_utf8_lossy(host).into_owned())),
            None => Ok(()),
        }
    }

    fn allows_host(&self, host: &[u8]) -> bool {
        if self.known.get().is_some_and(|known| **known == *host) {
            return true;
        }
        let allows = self.rules_allow_host(host);
        if allows {
            self.known.get_or_init(|| host.into());
        }
        allows
    }

    fn rules_allow_host(&self, host: &[u8]) -> bool {
        let Some(authority) = std::str::from_utf8(host).ok().and_then(Authority::read) else { return false };
        self.hosts.iter().any(|rule| match rule {
            Rule::Any => true,
            Rule::Loopback => authority.is_loopback(),
            // A proxy can use TLS without the server's knowledge, so a missing port can be 80 or 443.
            Rule::Named(allowed) => [80, 443].iter().any(|usual| allowed.covers(&authority, Some(*usual))),
        })
    }

    fn allows_origin(&self, origin: &HeaderValue) -> bool {
        let Some(origin) = origin.to_str().ok().and_then(Origin::read) else { return false };
        match &self.origins {
            Some(origins) => {
                origins.iter().any(|rule| matches!(rule, Rule::Named(allowed) if allowed.is_same(&origin)))
            }
            None => self.hosts.iter().any(|rule| match rule {
                Rule::Any => true,
                Rule::Loopback => origin.is_of_web() && origin.authority.is_loopback(),
                Rule::Named(allowed) => origin.is_of_web() && allowed.covers(&origin.authority, origin.default_port()),
            }),
        }
    }
}

fn has_any<T>(rules: &[Rule<T>]) -> bool {
    rules.iter().any(|rule| matches!(rule, Rule::Any))
}

/// Allows the host names of the local machine.
impl Default for AllowedHosts {
    fn default() -> Self {
        Self { hosts: vec![Rule::Loopback], origins: None, problems: Vec::new(), known: OnceLock::new() }
    }
}

/// The reason why a request gets 403.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(crate) enum OriginError {
    #[error("`Host` is missing")]
    HostMissing,
    #[error("`Host` occurs more than once")]
    HostTwice,
    #[error("this server does not answer requests to the host `{}`; allow it with `AllowedHosts`", shortened(.0))]
    Host(String),
    #[error("`Origin` occurs more than once")]
    OriginTwice,
    #[error("this server does not answer requests from the origin `{}`; allow it with `AllowedHosts`", shortened(.0))]
    Origin(String),
    #[error("this server does not answer requests that a page of another site has sent without `Origin`")]
    OtherSite,
}

/// The headers that say for which host a request is, and which page has sent it.
#[derive(Default)]
struct SenderHeaders<'h> {
    host: SentHeader<'h>,
    origin: SentHeader<'h>,
    site: SentHeader<'h>,
}

impl<'h> SenderHeaders<'h> {
    /// Finds all of them in one pass, because each look-up by name would hash the name.
    fn read(headers: &'h HeaderMap) -> Self {
        let mut sender = Self::default();
        for (name, value) in headers {
            if name == HOST {
                sender.host.add(value);
            } else if name == ORIGIN {
                sender.origin.add(value);
            } else if *name == SEC_FETCH_SITE {
                sender.site.add(value);
            }
        }
        sender
    }
}

/// Checks a request that can change something, and that has no `Origin`. Browsers say in `Sec-Fetch-Site` which page has
/// sent a request, also where they send no `Origin`. Other clients do not send this header.
fn check_site(site: Option<&HeaderValue>) -> Result<(), OriginError> {
    match site.map(HeaderValue::as_bytes) {
        None | Some(b"same-origin" | b"none") => Ok(()),
        Some(_) => Err(OriginError::OtherSite),
    }
}

fn text(value: &HeaderValue) -> String {
    String::from_utf8_lossy(value.as_bytes()).into_owned()
}

#[cfg(test)]
mod tests;
