//! `Api`: the tools of a document, and how its service is reached.

use std::{collections::BTreeMap, fmt, sync::Arc, time::Duration};

use super::{exchange::ApiLimits, shared::SharedApi, table::ApiDocument, tool::ApiTool};
use crate::{
    engine::tool::Tool,
    serve::settings::{Secret, ToolSettings, WithSettings},
};

/// The operations of an OpenAPI document as tools, which [`openapi!`](crate::openapi!) makes. Pass it to
/// [`Server::tools`](crate::Server::tools).
///
/// It is an iterator over tools, so [`prefix`](crate::tool::IntoTools::prefix) and
/// [`rename`](crate::tool::IntoTools::rename) work, too. `Debug` shows no credential.
#[must_use]
pub struct Api {
    pub(super) document: &'static ApiDocument,
    pub(super) base_url: Option<String>,
    /// The URLs of servers that only some operations have, by those in the document.
    pub(super) own_servers: BTreeMap<String, String>,
    pub(super) credentials: BTreeMap<String, Secret<String>>,
    pub(super) limits: ApiLimits,
}

impl Api {
    #[doc(hidden)]
    pub fn __new(document: &'static ApiDocument) -> Self {
        Self {
            document,
            base_url: None,
            own_servers: BTreeMap::new(),
            credentials: BTreeMap::new(),
            limits: ApiLimits { timeout: Duration::from_secs(30), retries: 2, max_response: 4 * 1024 * 1024 },
        }
    }

    /// Sets the URL before each path. Default: the first of `servers` in the document. If the document has none, or a
    /// relative one, the URL is required.
    ///
    /// [`Server::build`](crate::Server::build) fails if it is not an `http` or `https` URL, or has a user, a password, a
    /// query or a fragment.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// Sets the URL of a server that only some operations have, in a member `servers` of their own. `in_document` is its
    /// URL in the document.
    ///
    /// The author decides where credentials are sent, and not the document: a server of another origin than the first of
    /// the document gets none before it is named here. [`Server::build`](crate::Server::build) fails if an operation there
    /// needs one, or if no operation has such a server. A server of the same origin has that of
    /// [`base_url`](Self::base_url).
    pub fn own_server(mut self, in_document: impl Into<String>, url: impl Into<String>) -> Self {
        self.own_servers.insert(in_document.into(), url.into());
        self
    }

    /// Sets the credential of a security scheme, by its name in `components.securitySchemes`: the key, the token, or for
    /// basic authentication `user:password`.
    ///
    /// Default: the value of a [setting](crate::settings), which the server has for each scheme that its operations use.
    /// It is a secret, and its name is that of the file and that of the scheme, such as `petstore_api_key` for the scheme
    /// `api_key` of `petstore.json`: the variable `PETSTORE_API_KEY`, or `PETSTORE_API_KEY_FILE`, which names a file that
    /// contains it, or `petstore_api_key` in the settings file. A scheme that is set here has no setting.
    ///
    /// [`Server::build`](crate::Server::build) fails if no operation uses such a scheme, or if the value cannot be sent.
    pub fn credential(mut self, scheme: impl Into<String>, secret: impl Into<Secret<String>>) -> Self {
        self.credentials.insert(scheme.into(), secret.into());
        self
    }

    /// Sets the time limit of a call, with all its tries. Default: 30 seconds.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.limits.timeout = timeout;
        self
    }

    /// Sets how often a request is repeated at most. Default: 2. See [the module](super#failures).
    pub fn retries(mut self, retries: u32) -> Self {
        self.limits.retries = retries;
        self
    }

    /// Sets the longest answer that is read, in bytes. Default: 4 MiB. A longer one is an error of the call.
    pub fn max_response(mut self, bytes: usize) -> Self {
        self.limits.max_response = bytes;
        self
    }
}

impl IntoIterator for Api {
    type Item = Box<dyn Tool>;
    type IntoIter = std::vec::IntoIter<Box<dyn Tool>>;

    fn into_iter(self) -> Self::IntoIter {
        let ApiDocument { operations, groups, .. } = self.document;
        let shared = Arc::new(SharedApi::new(self));
        let tool = |operation| ApiTool { operation, api: Arc::clone(&shared), output: Arc::default() };
        let with_settings = |tool: Box<dyn Tool>| {
            let settings = Arc::clone(&shared) as Arc<dyn ToolSettings>;
            Box::new(WithSettings::new(tool, settings)) as Box<dyn Tool>
        };
        let tools = operations.iter().enumerate().filter_map(|(index, operation)| {
            let Some(group) = groups.iter().find(|group| group.operations.contains(&index)) else {
                return Some(with_settings(Box::new(tool(operation))));
            };
            // The tool of a group stands where its first operation stands.
            let is_first = group.operations.first() == Some(&index);
            let tools = || group.operations.iter().map(|index| tool(&operations[*index])).collect();
            is_first.then(|| with_settings(super::grouped::tool(group, tools())))
        });
        tools.collect::<Vec<_>>().into_iter()
    }
}

impl fmt::Debug for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Api")
            .field("title", &self.document.title)
            .field("base_url", &self.base_url)
            .field("own_servers", &self.own_servers)
            .field("credentials", &self.credentials)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
