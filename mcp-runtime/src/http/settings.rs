//! The settings of a server over HTTP, and the state that all endpoints of a service share.

use std::sync::Arc;

use super::{
    AllowedHosts, HttpLimits,
    auth::{Authorization, Authorizer},
    guard::{large_bodies::LargeBodies, replies::UnreadReplies},
    health::Readiness,
    rooms::Rooms,
    shutdown::Lifecycle,
};
use crate::server::{
    Limits, Server, Service,
    part::{Part, Settings},
};

/// The author's settings for HTTP.
#[derive(Default)]
struct HttpSettings {
    allowed_hosts: AllowedHosts,
    limits: HttpLimits,
    authorization: Option<Authorization>,
}

/// The settings and the state that all endpoints of a service share.
pub(super) struct HttpPart {
    pub(super) allowed_hosts: AllowedHosts,
    pub(super) limits: HttpLimits,
    pub(super) admission: Option<Authorizer>,
    pub(super) readiness: Readiness,
    pub(super) lifecycle: Lifecycle,
    pub(super) rooms: Rooms,
    pub(super) large_bodies: LargeBodies,
    pub(super) replies: UnreadReplies,
}

impl HttpPart {
    fn new(settings: HttpSettings, admission: Option<Authorizer>, server: &Limits) -> Self {
        let HttpSettings { allowed_hosts, limits, .. } = settings;
        Self {
            rooms: Rooms::new(server.concurrent_calls, &limits),
            large_bodies: LargeBodies::new(body_size(server), &limits),
            replies: UnreadReplies::new(limits.unread_replies),
            allowed_hosts,
            limits,
            admission,
            readiness: Readiness::default(),
            lifecycle: Lifecycle::default(),
        }
    }
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
        self.0.part(|limits| HttpPart::new(HttpSettings::default(), None, limits))
    }

    /// Returns the size of the largest accepted message, in bytes.
    pub(super) fn body_size(&self) -> usize {
        body_size(&self.0.limits)
    }
}

fn body_size(limits: &Limits) -> usize {
    limits.message_size.unwrap_or(1024 * 1024)
}

impl Settings for HttpSettings {
    fn complete(mut self: Box<Self>, name: &str, limits: &Limits, problems: &mut Vec<String>) -> Part {
        problems.extend_from_slice(self.allowed_hosts.problems());
        let authorization = self.authorization.take();
        if let Some(host) = authorization.as_ref().and_then(Authorization::host) {
            self.allowed_hosts.or_host(host);
        }
        let admission = authorization.map(|authorization| Authorizer::new(authorization, name, problems));
        Arc::new(HttpPart::new(*self, admission, limits))
    }
}
