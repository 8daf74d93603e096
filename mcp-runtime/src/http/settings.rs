//! The settings of a server over HTTP, and what all endpoints of a service share.

use std::sync::Arc;

use super::{
    AllowedHosts, HttpLimits,
    auth::{Admission, Authorization},
    health::Readiness,
    shutdown::Lifecycle,
};
use crate::server::{
    Server, Service,
    part::{Part, Settings},
    registry::Registry,
};

/// What the author says.
#[derive(Default)]
struct HttpSettings {
    allowed_hosts: AllowedHosts,
    limits: HttpLimits,
    authorization: Option<Authorization>,
}

/// What all endpoints of a service share.
#[derive(Default)]
pub(super) struct HttpPart {
    pub(super) allowed_hosts: AllowedHosts,
    pub(super) limits: HttpLimits,
    pub(super) admission: Option<Admission>,
    pub(super) readiness: Readiness,
    pub(super) lifecycle: Lifecycle,
}

impl Server {
    /// Whom the endpoint answers over HTTP: by which hosts it is called, and for the scripts of which pages. Default: the
    /// names of the machine itself, as `localhost`.
    pub fn allowed_hosts(mut self, hosts: AllowedHosts) -> Self {
        self.settings::<HttpSettings>().allowed_hosts = hosts;
        self
    }

    /// What clients over HTTP may make the server hold, and for how long.
    pub fn http_limits(mut self, limits: HttpLimits) -> Self {
        self.settings::<HttpSettings>().limits = limits;
        self
    }

    /// What whoever calls over HTTP must bring: a bearer token that was issued for this server; see
    /// [`auth`](crate::auth). Default: nothing, and nobody is told apart.
    pub fn authorization(mut self, authorization: Authorization) -> Self {
        self.settings::<HttpSettings>().authorization = Some(authorization);
        self
    }
}

impl Service {
    pub(super) fn http(&self) -> Arc<HttpPart> {
        self.0.part()
    }

    /// The largest message that is taken, in bytes.
    pub(super) fn body_size(&self) -> usize {
        self.0.limits.message_size.unwrap_or(1024 * 1024)
    }
}

impl Settings for HttpSettings {
    fn complete(self: Box<Self>, name: &str, registry: &Registry, problems: &mut Vec<String>) -> Part {
        let Self { allowed_hosts, limits, authorization } = *self;
        problems.extend_from_slice(allowed_hosts.problems());
        let admission = authorization.map(|authorization| Admission::new(authorization, registry, name, problems));
        Arc::new(HttpPart { allowed_hosts, limits, admission, ..HttpPart::default() })
    }
}
