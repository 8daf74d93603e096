//! The settings of a server over HTTP, and the state that all endpoints of a service share.

use std::sync::Arc;

use super::{
    AllowedHosts, HttpLimits,
    auth::{Authorization, Authorizer},
    health::Readiness,
    shutdown::Lifecycle,
};
use crate::server::{
    Server, Service,
    part::{Part, Settings},
};

/// The author's settings for HTTP.
#[derive(Default)]
struct HttpSettings {
    allowed_hosts: AllowedHosts,
    limits: HttpLimits,
    authorization: Option<Authorization>,
}

/// The state that all endpoints of a service share.
#[derive(Default)]
pub(super) struct HttpPart {
    pub(super) allowed_hosts: AllowedHosts,
    pub(super) limits: HttpLimits,
    pub(super) admission: Option<Authorizer>,
    pub(super) readiness: Readiness,
    pub(super) lifecycle: Lifecycle,
}

impl Server {
    /// Sets the host names that clients can use for the endpoint, and the web origins whose pages can call it. Default:
    /// the names of the local machine, such as `localhost`, and the host of the [authorization](Self::authorization).
    pub fn allowed_hosts(mut self, hosts: AllowedHosts) -> Self {
        self.settings::<HttpSettings>().allowed_hosts = hosts;
        self
    }

    /// Sets the limits for clients over HTTP. Default: [`HttpLimits::default`].
    pub fn http_limits(mut self, limits: HttpLimits) -> Self {
        self.settings::<HttpSettings>().limits = limits;
        self
    }

    /// Requires every client over HTTP to send a bearer token that was issued for this server; see
    /// [`auth`](crate::auth). Default: no token is required, and clients have no identity.
    pub fn authorization(mut self, authorization: Authorization) -> Self {
        self.settings::<HttpSettings>().authorization = Some(authorization);
        self
    }
}

impl Service {
    pub(super) fn http(&self) -> Arc<HttpPart> {
        self.0.part()
    }

    /// Returns the size of the largest accepted message, in bytes.
    pub(super) fn body_size(&self) -> usize {
        self.0.limits.message_size.unwrap_or(1024 * 1024)
    }
}

impl Settings for HttpSettings {
    fn complete(self: Box<Self>, name: &str, problems: &mut Vec<String>) -> Part {
        let Self { mut allowed_hosts, limits, authorization } = *self;
        problems.extend_from_slice(allowed_hosts.problems());
        if let Some(host) = authorization.as_ref().and_then(Authorization::host) {
            allowed_hosts.or_host(host);
        }
        let admission = authorization.map(|authorization| Authorizer::new(authorization, name, problems));
        Arc::new(HttpPart { allowed_hosts, limits, admission, ..HttpPart::default() })
    }
}
