//! Other MCP servers, whose tools a server calls: in a child process, behind a URL, or in the same process.
//!
//! A [`Remote`] connects when it is first used, in the newest revision that the server has, and connects again when the
//! connection ends. A server before 2026-07-28 has [sessions](links).

mod call;
mod connect;
mod connection;
mod error;
mod headers;
mod inbox;
mod limits;
mod links;
mod list_bytes;
mod listen;
mod lists;
mod offers;
mod outer;
mod pass_on;
mod questions;
mod request;
mod routes;
mod sent;
mod settings;
mod task;
mod to_service;
mod typed_call;
mod within;

use std::{fmt, process::Command, sync::Arc, time::Duration};

use http::{HeaderName, HeaderValue};
use tokio::sync::Semaphore;

pub use self::{
    call::RemoteCall,
    error::RemoteError,
    typed_call::{RemoteToolCall, RemoteToolCallWithin},
    within::RemoteCallWithin,
};
use self::{
    links::Links,
    lists::RemoteLists,
    settings::{RemoteSettings, ServerPlace},
};
pub(crate) use self::{lists::ListName, offers::RemoteOffers, pass_on::passed_on};
use crate::serve::{
    remote::{
        authorization::{ClientCredentials, FixedBearer},
        transport::process::program::RemoteProgram,
    },
    server::Service,
    settings::Secret,
};

/// Another MCP server, whose tools this program calls.
///
/// A clone is cheap, and uses the same connections. A setting of a clone makes it a remote with connections of its own.
///
/// ```no_run
/// use mcp_runtime::{Result, prelude::*, remote::Remote};
/// use serde_json::json;
///
/// /// Files a report as an issue.
/// #[mcp_tool(replayable)]
/// async fn report(ctx: &Ctx, github: &Remote, text: String) -> Result<String> {
///     let issue = github.call("create_issue", json!({ "title": text })).within(ctx).await?;
///     Ok(issue.content()[0].as_text().unwrap_or_default().to_owned())
/// }
///
/// let server = Server::new("reports", "1.0.0")
///     .state(Remote::http("https://mcp.example.com/mcp").timeout(std::time::Duration::from_secs(20)))
///     .tools(tools![report]);
/// ```
#[derive(Clone)]
pub struct Remote {
    settings: Arc<RemoteSettings>,
    live: Arc<LiveRemote>,
}

/// What the clones of a remote share.
struct LiveRemote {
    links: Arc<Links>,
    lists: RemoteLists,
    /// The requests that can be open.
    requests: Arc<Semaphore>,
}

impl Remote {
    /// A server in a child process, which this command starts. It is started again if it ends.
    ///
    /// The process gets the variables that the command sets, and of this program's environment only those that the
    /// official SDKs pass on, such as `PATH` and `HOME`, so that secrets of this program do not reach it. Its standard
    /// error is that of this program.
    ///
    /// ```no_run
    /// use mcp_runtime::remote::Remote;
    /// use std::process::Command;
    ///
    /// let server = ["-y", "@modelcontextprotocol/server-filesystem", "/srv/files"];
    /// let files = Remote::stdio(Command::new("npx").args(server));
    /// ```
    pub fn stdio(command: &Command) -> Self {
        Self::new(ServerPlace::Process(Arc::new(RemoteProgram::from(command))))
    }

    /// A server behind an `http:` or `https:` URL, such as `https://mcp.example.com/mcp`.
    ///
    /// Redirects are not followed: a request that the server redirects fails. Proxies in environment variables, such as
    /// `HTTPS_PROXY`, are not used.
    pub fn http(url: impl Into<String>) -> Self {
        Self::new(ServerPlace::Url(url.into(), Arc::default()))
    }

    /// A service in the same process. Its requests are not written as JSON. It gets the principal of the call within
    /// which it is called, so its scopes are checked for that principal.
    pub fn service(service: &Service) -> Self {
        Self::new(ServerPlace::Service(service.clone()))
    }

    /// Sets the name of the server in errors and logs. Default: the name of the program, the host of the URL, or the name of
    /// the service.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        self.with(|settings| settings.name = name.into())
    }

    /// Sets how long a request can take without a reply and without progress. The time that a person takes to answer a
    /// question does not count. Default: 60 seconds.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        self.with(|settings| settings.timeout = timeout)
    }

    /// Sets how many requests can be open. Further ones wait, as long as the [timeout](Self::timeout) allows. Default: 64.
    #[must_use]
    pub fn max_requests(self, max: usize) -> Self {
        self.with(|settings| settings.max_requests = max.max(1))
    }

    /// Sets how many sessions a server before 2026-07-28 gets for calls whose client can answer questions. Each is a process or a
    /// session over HTTP. Such a session serves one call at a time, because its questions do not say to which call they
    /// belong; further calls wait. Default: 4 processes, or 64 sessions over HTTP.
    ///
    /// Set it to 1 for a server whose calls depend on those before in the same session, such as one that drives a
    /// browser.
    #[must_use]
    pub fn max_sessions(self, max: usize) -> Self {
        self.with(|settings| settings.max_sessions = max.max(1))
    }

    /// Sets the length of the longest message that the server can send, in bytes. A longer one is not kept, and its request
    /// fails. Default: 16 MiB.
    #[must_use]
    pub fn max_message(self, bytes: usize) -> Self {
        self.with(|settings| settings.max_message = bytes)
    }

    /// Sends this header with each request over HTTP. Its value is not shown in errors and logs.
    ///
    /// # Panics
    /// Panics if the name or the value is not valid in a header.
    #[must_use]
    pub fn header(self, name: &str, value: &str) -> Self {
        let name: HeaderName = name.parse().unwrap_or_else(|_| panic!("`{name}` is not the name of a header"));
        let value = HeaderValue::from_str(value);
        let mut value = value.unwrap_or_else(|_| panic!("the value of the header `{name}` is not valid"));
        value.set_sensitive(true);
        self.with(|settings| drop(settings.headers.insert(name, value)))
    }

    /// Sends this bearer token with each request over HTTP. The URL must be `https:`, or a server on this machine.
    #[must_use]
    pub fn bearer_token(self, token: impl Into<Secret<String>>) -> Self {
        let bearer = FixedBearer::new(token);
        self.with(|settings| match bearer {
            Ok(bearer) => settings.authorization = Some(Arc::new(bearer)),
            Err(problem) => settings.problem = Some(problem),
        })
    }

    /// Gets tokens for the requests over HTTP from the authorization server, as a client that acts for itself (OAuth 2.1).
    /// The URL must be `https:`, or a server on this machine.
    ///
    /// ```no_run
    /// use mcp_runtime::{remote::{ClientCredentials, Remote}, settings::Secret};
    ///
    /// # let secret = Secret::from(String::new());
    /// let credentials = ClientCredentials::new("reports", secret).issuer("https://auth.example.com");
    /// let remote = Remote::http("https://mcp.example.com/mcp").client_credentials(credentials);
    /// ```
    #[must_use]
    pub fn client_credentials(self, credentials: ClientCredentials) -> Self {
        self.with(|settings| settings.authorization = Some(Arc::new(credentials)))
    }

    /// Returns the name of the server in errors and logs.
    pub fn name(&self) -> &str {
        &self.settings.name
    }

    /// Returns the remote under another name, with the same connections.
    pub(crate) fn called(mut self, name: &str) -> Self {
        name.clone_into(&mut Arc::make_mut(&mut self.settings).name);
        self
    }

    fn new(target: ServerPlace) -> Self {
        let settings = RemoteSettings::new(target);
        Self { live: Arc::new(LiveRemote::new(&settings)), settings: Arc::new(settings) }
    }

    fn with(mut self, change: impl FnOnce(&mut RemoteSettings)) -> Self {
        let settings = Arc::make_mut(&mut self.settings);
        change(settings);
        settings.changed();
        self.live = Arc::new(LiveRemote::new(&self.settings));
        self
    }
}

impl LiveRemote {
    fn new(settings: &RemoteSettings) -> Self {
        Self {
            links: Arc::new(Links::new(settings)),
            lists: RemoteLists::default(),
            requests: Arc::new(Semaphore::new(settings.max_requests)),
        }
    }
}

impl fmt::Debug for Remote {
    /// Omits the command and the URL, which can contain secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").field("name", &self.settings.name).finish_non_exhaustive()
    }
}
