//! The settings of a server over HTTP, and the state that all endpoints of a service share.

use std::sync::{Arc, OnceLock};

use super::{health::Readiness, lifecycle::Lifecycle, root_page::RootPage};
#[cfg(feature = "dev")]
use crate::serve::http::auth::development;
use crate::serve::{
    http::{
        AllowedHosts, HttpLimits,
        auth::{Authorization, Authorizer},
        limits::{bodies::BodyLimits, rooms::Rooms, unread_replies::UnreadReplies},
    },
    server::{BuiltParts, Extension, Limits, Server, Service},
};
#[cfg(feature = "settings")]
use crate::{base::error::IntoToolError, serve::settings::Settings};

/// The author's settings for HTTP.
#[derive(Default)]
struct HttpSettings {
    allowed_hosts: AllowedHosts,
    limits: HttpLimits,
    authorization: Option<Authorization>,
    root_page: Option<RootPage>,
}

/// The settings and the state that all endpoints of a service share.
pub(crate) struct HttpPart {
    /// The hosts that the author has set.
    allowed_hosts: AllowedHosts,
    /// The hosts that the operator has set in place of these.
    hosts_of_operator: OnceLock<AllowedHosts>,
    pub(crate) limits: HttpLimits,
    pub(crate) admission: Option<Authorizer>,
    pub(crate) readiness: Readiness,
    pub(crate) lifecycle: Lifecycle,
    pub(crate) rooms: Rooms,
    pub(crate) bodies: BodyLimits,
    pub(crate) replies: UnreadReplies,
    /// The page at the root of the server's own listener.
    pub(crate) root_page: Option<RootPage>,
}

impl HttpPart {
    fn new(settings: HttpSettings, admission: Option<Authorizer>, server: &Limits) -> Self {
        let HttpSettings { allowed_hosts, limits, root_page, .. } = settings;
        Self {
            rooms: Rooms::new(server.concurrent_calls, &limits),
            bodies: BodyLimits::new(body_size(server), &limits),
            replies: UnreadReplies::new(limits.unread_replies),
            allowed_hosts,
            hosts_of_operator: OnceLock::new(),
            root_page,
            limits,
            admission,
            readiness: Readiness::default(),
            lifecycle: Lifecycle::default(),
        }
    }

    pub(crate) fn allowed_hosts(&self) -> &AllowedHosts {
        self.hosts_of_operator.get().unwrap_or(&self.allowed_hosts)
    }
}

impl Server {
    /// Sets the host names that clients can use for the endpoint, and the web origins whose pages can call it. Default:
    /// the names of the local machine, such as `localhost`, and the host of the [authorization](Self::authorization).
    pub fn allowed_hosts(mut self, hosts: AllowedHosts) -> Self {
        self.extension::<HttpSettings>().allowed_hosts = hosts;
        self
    }

    /// Sets the limits for clients over HTTP. Default: [`HttpLimits::default`].
    pub fn http_limits(mut self, limits: HttpLimits) -> Self {
        self.extension::<HttpSettings>().limits = limits;
        self
    }

    /// Sets whether every `POST` is answered with one JSON message, and never with an event stream. Default: `false`. Use
    /// it where the infrastructure cannot stream, such as functions behind a gateway that buffers replies.
    ///
    /// The reply then waits until the call ends, and the client gets neither its log messages nor its progress. A call
    /// of a client before 2026-07-28 cannot ask the user or the model, so tools that need to ask are not in the lists of
    /// these clients; calls of newer clients still ask, because their questions are replies. `subscriptions/listen` does
    /// not exist. A client of a session can still open the stream for notices about changes with `GET`.
    ///
    /// The server also answers with JSON alone if the header `Accept` of a request does not allow
    /// `text/event-stream`.
    ///
    /// ```
    /// # use mcp_runtime::Server;
    /// let server = Server::new("s", "1.0.0").json_replies(true);
    /// ```
    pub fn json_replies(mut self, only_json: bool) -> Self {
        self.0.service.http_rules.json_replies = only_json;
        self
    }

    /// Sets whether clients before 2026-07-28 get sessions over HTTP. Default: `true`. Without sessions, any instance
    /// can answer any request, and the server keeps nothing for a client between two requests. Use it for serverless
    /// functions, and for several instances behind a load balancer that does not send all requests of a session to the
    /// same instance. Clients of 2026-07-28 are not affected, because they have no sessions.
    ///
    /// Without sessions
    ///
    /// - `initialize` is answered without `Mcp-Session-Id`. The server ignores this header in later requests;
    /// - a request has the revision of its header `MCP-Protocol-Version`, or 2025-03-26 if it has none;
    /// - calls cannot ask the user or the model, because the capabilities of the client are unknown. Tools that need to
    ///   ask are not in the lists, and a call of such a tool says why;
    /// - there are no notices about changes, and no log messages. Progress is sent on the stream of its call;
    /// - a call ends when its client disconnects. Notifications, such as `notifications/cancelled`, are accepted and have
    ///   no effect;
    /// - `GET` and `DELETE` get 405.
    ///
    /// ```
    /// # use mcp_runtime::Server;
    /// let server = Server::new("s", "1.0.0").sessions(false);
    /// ```
    pub fn sessions(mut self, are_opened: bool) -> Self {
        self.0.service.http_rules.sessionless = !are_opened;
        self
    }

    /// Sets whether the revision in the body of a request decides if `MCP-Protocol-Version` names an older one.
    /// Default: `false`, and such a request gets 400 and -32020, as the protocol demands, so that a proxy that reads
    /// only headers never takes a request for another one.
    ///
    /// Some hosts send bodies of 2026-07-28 with the headers of 2025-11-25. With `true`, their requests are served. They
    /// may leave out the other headers of 2026-07-28, such as `Mcp-Method`. Headers that they send must match the body.
    ///
    /// ```
    /// # use mcp_runtime::Server;
    /// let server = Server::new("s", "1.0.0").revision_of_body(true);
    /// ```
    pub fn revision_of_body(mut self, decides: bool) -> Self {
        self.0.service.http_rules.revision_of_body = decides;
        self
    }

    /// Requires every client over HTTP to send a bearer token that was issued for this server; see
    /// [`auth`](crate::auth). Default: no token is required, and clients have no identity.
    pub fn authorization(mut self, authorization: Authorization) -> Self {
        self.extension::<HttpSettings>().authorization = Some(authorization);
        self
    }

    /// Sets the [authorization](Self::authorization), made from [`settings`](Self::settings): the operator chooses the URL
    /// of the endpoint, the issuer or a token, and finds these settings in `--help`. The function runs when the server is
    /// built, after the settings are read. Its error is an error of [`build`](Self::build).
    ///
    /// ```
    /// use mcp_runtime::{
    ///     auth::{Authorization, Jwks, JwtVerifier},
    ///     prelude::*,
    /// };
    ///
    /// #[derive(Settings)]
    /// #[setting(prefix = "NOTES")]
    /// struct Access {
    ///     /// The URL at which clients reach the server.
    ///     #[setting(default = "http://localhost:8080/mcp")]
    ///     url: String,
    ///     /// Who issues the tokens of the clients.
    ///     #[setting(default = "https://login.example.org")]
    ///     issuer: String,
    /// }
    ///
    /// fn authorization(access: &Access) -> mcp_runtime::Result<Authorization> {
    ///     let keys = Jwks::from_url(&format!("{}/jwks.json", access.issuer))?;
    ///     Ok(Authorization::new(&access.url, JwtVerifier::new(&access.issuer, keys)))
    /// }
    ///
    /// let server = Server::new("notes", "1.0.0").settings::<Access>().authorization_from(authorization);
    /// # server.build().unwrap();
    /// ```
    #[cfg(feature = "settings")]
    pub fn authorization_from<S, E>(
        self,
        make: impl FnOnce(&S) -> Result<Authorization, E> + Send + Sync + 'static,
    ) -> Self
    where
        S: Settings,
        E: IntoToolError,
    {
        self.make_from("authorization_from", "the authorization".to_owned(), make, |server, authorization| {
            let authorization = authorization.unwrap_or_else(Authorization::rejecting_all);
            server.extension::<HttpSettings>().authorization = Some(authorization);
        })
    }

    /// Sets the page at the root of the server's own listener.
    pub(crate) fn root_page(mut self, page: RootPage) -> Self {
        self.extension::<HttpSettings>().root_page = Some(page);
        self
    }
}

impl Service {
    /// Returns the allowed hosts and origins.
    pub(crate) fn allowed_hosts(&self) -> AllowedHosts {
        self.http().allowed_hosts().clone()
    }

    /// Replaces the allowed hosts and origins that the author has set. Only the first call has an effect.
    pub(crate) fn replace_allowed_hosts(&self, hosts: AllowedHosts) {
        let _ = self.http().hosts_of_operator.set(hosts);
    }

    pub(crate) fn http(&self) -> Arc<HttpPart> {
        self.0.extensions.get_or_add(|| HttpPart::new(HttpSettings::default(), None, &self.0.settings.limits))
    }

    /// Returns the size of the largest accepted message, in bytes.
    pub(crate) fn body_size(&self) -> usize {
        body_size(&self.0.settings.limits)
    }
}

fn body_size(limits: &Limits) -> usize {
    limits.message_size.unwrap_or(1024 * 1024)
}

impl Extension for HttpPart {}

impl Extension for HttpSettings {
    fn complete(&mut self, server: &BuiltParts<'_>, problems: &mut Vec<String>) -> Option<Arc<dyn Extension>> {
        problems.extend_from_slice(self.allowed_hosts.problems());
        let authorization = self.authorization.take();
        #[cfg(feature = "dev")]
        let authorization = authorization.map(development::with_development_tokens);
        if let Some(host) = authorization.as_ref().and_then(Authorization::host) {
            self.allowed_hosts.or_host(host);
        }
        let admission = authorization
            .map(|authorization| Authorizer::new(authorization, server.settings.identity.shown_name(), problems));
        Some(Arc::new(HttpPart::new(std::mem::take(self), admission, &server.settings.limits)))
    }
}
