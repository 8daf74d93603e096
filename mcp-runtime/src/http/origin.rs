//! Whom a server answers: the hosts it is called by, and the pages whose scripts may call it.
//!
//! A page can have its own name lead to 127.0.0.1, and then speaks to a server there as if that were its own ("DNS
//! rebinding"). It can forge neither `Host` nor `Origin`: both still hold its name. What cannot be read is refused.

mod authority;

use std::sync::OnceLock;

use http::{
    HeaderMap, HeaderName, HeaderValue, Uri,
    header::{HOST, ORIGIN},
};

use self::authority::{Authority, Origin};
use crate::protocol::text::shortened;

/// The hosts a server is called by over HTTP, and the pages whose scripts may call it.
///
/// Any page in a user's browser can send requests to a server on the same machine or behind the same firewall, and make
/// them look as if they came from nowhere else ("DNS rebinding"). So a request is answered only if its `Host` is
/// allowed, and its `Origin`, where it has one; others get 403. With nothing said, these are the names of the machine
/// itself: `localhost`, `127.0.0.0/8` and `[::1]`, at any port.
///
/// ```
/// use mcp_runtime::AllowedHosts;
///
/// // Called by its public name, and by whoever is logged in to the machine.
/// let hosts = AllowedHosts::new(["mcp.example.com", "localhost:8080"]);
///
/// // The same, for the pages of another application.
/// let hosts = hosts.origins(["https://app.example.com"]);
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct AllowedHosts {
    hosts: Vec<Rule>,
    /// `None`: the pages of the hosts.
    origins: Option<Vec<OriginRule>>,
    problems: Vec<String>,
    /// The host that was allowed first: most requests name the same one.
    known: OnceLock<Box<[u8]>>,
}

/// A host, as the author allows it.
#[derive(Clone, Debug)]
enum Rule {
    Any,
    Loopback,
    Named(Authority),
}

/// The pages an author allows by themselves.
#[derive(Clone, Debug)]
enum OriginRule {
    Any,
    Named(Origin),
}

impl AllowedHosts {
    /// These hosts and no others: `mcp.example.com` at any port, `mcp.example.com:8443` at that one. Write addresses as
    /// `192.0.2.7` and `[2001:db8::7]`. `*` allows every host, and with it every page: only where something else keeps
    /// strangers out, such as a proxy that checks `Host`, or tokens that no browser sends by itself.
    ///
    /// What is no host is told when the server is built.
    pub fn new<H: AsRef<str>>(hosts: impl IntoIterator<Item = H>) -> Self {
        let mut allowed = Self { hosts: Vec::new(), origins: None, problems: Vec::new(), known: OnceLock::new() };
        for host in hosts {
            match host.as_ref().trim() {
                "*" => allowed.hosts.push(Rule::Any),
                host => match Authority::read(host) {
                    Some(authority) => allowed.hosts.push(Rule::Named(authority)),
                    None => allowed.problems.push(format!(
                        "allowed hosts: `{}` is no host: write it as `mcp.example.com` or `mcp.example.com:8443`, \
                         without a scheme or path, other letters than ASCII as `xn--…`",
                        shortened(host),
                    )),
                },
            }
        }
        if allowed.hosts.is_empty() && allowed.problems.is_empty() {
            allowed.problems.push("allowed hosts: none, and every request would be refused; name one".to_owned());
        }
        allowed
    }

    /// The pages whose scripts may call the server, instead of those of its hosts: `https://app.example.com`, with its
    /// port where it is not the usual one of the scheme. `*` allows every page. Requests that come from no page, as those
    /// of most clients, need none of these.
    pub fn origins<O: AsRef<str>>(mut self, origins: impl IntoIterator<Item = O>) -> Self {
        let given = self.origins.get_or_insert_default();
        for origin in origins {
            match origin.as_ref().trim() {
                "*" => given.push(OriginRule::Any),
                "null" => self.problems.push(
                    "allowed origins: any page can make its origin `null`: write `*`, or name the page".to_owned(),
                ),
                origin => match Origin::read(origin) {
                    Some(origin) => given.push(OriginRule::Named(origin)),
                    None => self.problems.push(format!(
                        "allowed origins: `{}` is no origin: write it as `https://app.example.com`, without a path",
                        shortened(origin),
                    )),
                },
            }
        }
        self
    }

    /// Whether only what is on the same machine reaches the server.
    pub(crate) fn is_of_this_machine(&self) -> bool {
        self.hosts.iter().all(|rule| matches!(rule, Rule::Loopback))
    }

    /// What is wrong with what the author wrote, a sentence each.
    pub(crate) fn problems(&self) -> &[String] {
        &self.problems
    }

    /// Whether a request with this target and these headers is answered.
    ///
    /// # Errors
    /// Why it is refused with 403.
    pub(crate) fn check(&self, target: &Uri, headers: &HeaderMap) -> Result<(), Refused> {
        if !self.hosts.iter().any(|rule| matches!(rule, Rule::Any)) {
            self.check_host(target, headers)?;
        }
        match only(headers, &ORIGIN) {
            Err(Twice) if !self.allows_any_origin() => Err(Refused::OriginTwice),
            Ok(Some(origin)) if !self.allows_origin(origin) => Err(Refused::Origin(text(origin))),
            _ => Ok(()),
        }
    }

    /// A request's target names its host too since HTTP/2, and to a proxy: then no other may stand in `Host`.
    fn check_host(&self, target: &Uri, headers: &HeaderMap) -> Result<(), Refused> {
        let host = only(headers, &HOST).map_err(|Twice| Refused::HostTwice)?;
        let named =
            [target.authority().map(|authority| authority.as_str().as_bytes()), host.map(HeaderValue::as_bytes)];
        let mut named = named.into_iter().flatten().peekable();
        if named.peek().is_none() {
            return Err(Refused::HostMissing);
        }
        match named.find(|host| !self.allows_host(host)) {
            Some(host) => Err(Refused::Host(String::from_utf8_lossy(host).into_owned())),
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
            // Whether a proxy in front speaks TLS is not known here.
            Rule::Named(allowed) => [80, 443].iter().any(|usual| allowed.covers(&authority, Some(*usual))),
        })
    }

    fn allows_origin(&self, origin: &HeaderValue) -> bool {
        if self.allows_any_origin() {
            return true;
        }
        let Some(origin) = origin.to_str().ok().and_then(Origin::read) else { return false };
        match &self.origins {
            Some(origins) => {
                origins.iter().any(|rule| matches!(rule, OriginRule::Named(allowed) if allowed.is_same(&origin)))
            }
            None => self.hosts.iter().any(|rule| match rule {
                Rule::Any => true,
                Rule::Loopback => origin.is_of_web() && origin.authority.is_loopback(),
                Rule::Named(allowed) => origin.is_of_web() && allowed.covers(&origin.authority, origin.usual_port()),
            }),
        }
    }

    fn allows_any_origin(&self) -> bool {
        match &self.origins {
            Some(origins) => origins.iter().any(|rule| matches!(rule, OriginRule::Any)),
            None => self.hosts.iter().any(|rule| matches!(rule, Rule::Any)),
        }
    }
}

/// The names of the machine itself.
impl Default for AllowedHosts {
    fn default() -> Self {
        Self { hosts: vec![Rule::Loopback], origins: None, problems: Vec::new(), known: OnceLock::new() }
    }
}

/// Why a request is refused with 403.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(crate) enum Refused {
    #[error("`Host` is missing")]
    HostMissing,
    #[error("`Host` is there more than once")]
    HostTwice,
    #[error("this server does not answer to the host `{}`; allow it with `AllowedHosts`", shortened(.0))]
    Host(String),
    #[error("`Origin` is there more than once")]
    OriginTwice,
    #[error("this server does not answer pages of `{}`; allow them with `AllowedHosts`", shortened(.0))]
    Origin(String),
}

/// A header that may be there once, and is not.
struct Twice;

fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h HeaderValue>, Twice> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    if values.next().is_some() { Err(Twice) } else { Ok(first) }
}

fn text(value: &HeaderValue) -> String {
    String::from_utf8_lossy(value.as_bytes()).into_owned()
}

#[cfg(test)]
mod tests;
