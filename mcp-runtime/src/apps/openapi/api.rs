//! `Api`: the tools of a document, and how its service is reached.

use std::{collections::BTreeMap, fmt, sync::Arc, time::Duration};

use super::{
    credentials::Credentials,
    exchange::{Exchanger, client},
    table::ApiDocument,
    tool::ApiTool,
};
use crate::{engine::tool::Tool, serve::settings::Secret};

/// The operations of an OpenAPI document as tools, which [`openapi!`](crate::openapi!) makes. Pass it to
/// [`Server::tools`](crate::Server::tools).
///
/// It is an iterator over tools, so [`prefix`](crate::tool::IntoTools::prefix) and
/// [`rename`](crate::tool::IntoTools::rename) work, too. `Debug` shows no credential.
#[must_use]
pub struct Api {
    document: &'static ApiDocument,
    base_url: Option<String>,
    credentials: BTreeMap<String, Secret<String>>,
    timeout: Duration,
    retries: u32,
    max_response: usize,
}

impl Api {
    #[doc(hidden)]
    pub fn __new(document: &'static ApiDocument) -> Self {
        Self {
            document,
            base_url: None,
            credentials: BTreeMap::new(),
            timeout: Duration::from_secs(30),
            retries: 2,
            max_response: 4 * 1024 * 1024,
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

    /// Sets the credential of a security scheme, by its name in `components.securitySchemes`: the key, the token, or for
    /// basic authentication `user:password`.
    ///
    /// Default: the variable with the name of the file and that of the scheme, such as `PETSTORE_API_KEY` for the scheme
    /// `api_key` of `petstore.json`; or `PETSTORE_API_KEY_FILE`, which names a file that contains it; or
    /// `petstore_api_key` in the settings file of `MCP_CONFIG`.
    ///
    /// [`Server::build`](crate::Server::build) fails if the document has no such scheme, or if the value cannot be sent.
    pub fn credential(mut self, scheme: impl Into<String>, secret: impl Into<Secret<String>>) -> Self {
        self.credentials.insert(scheme.into(), secret.into());
        self
    }

    /// Sets the time limit of a call, with all its tries. Default: 30 seconds.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets how often a request is repeated at most. Default: 2. See [the module](super#failures).
    pub fn retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// Sets the longest answer that is read, in bytes. Default: 4 MiB. A longer one is an error of the call.
    pub fn max_response(mut self, bytes: usize) -> Self {
        self.max_response = bytes;
        self
    }

    /// Creates what the tools share.
    ///
    /// # Errors
    /// Returns everything that the author or the operator must correct.
    fn exchanger(self) -> Result<Exchanger, Vec<String>> {
        let Self { document, base_url, credentials, timeout, retries, max_response } = self;
        let mut problems = Vec::new();
        let base = super::base_url::read(base_url.as_deref().or(document.server), document.title);
        let base = base.map_err(|problem| problems.push(problem)).ok();
        let credentials = Credentials::read(document, credentials, &mut problems);
        let client = base.as_ref().and_then(|base| client(base).map_err(|problem| problems.push(problem)).ok());
        match (base, client) {
            (Some(base), Some(client)) if problems.is_empty() => {
                Ok(Exchanger { client, base, credentials, timeout, retries, max_response })
            }
            _ => Err(problems),
        }
    }
}

impl IntoIterator for Api {
    type Item = Box<dyn Tool>;
    type IntoIter = std::vec::IntoIter<Box<dyn Tool>>;

    fn into_iter(self) -> Self::IntoIter {
        let operations = self.document.operations;
        let exchanger = self.exchanger().map(Arc::new);
        let tools = operations.iter().enumerate().map(|(index, operation)| {
            let exchanger = match &exchanger {
                Ok(exchanger) => Ok(Arc::clone(exchanger)),
                // Each problem is told once.
                Err(problems) if index == 0 => Err(problems.clone()),
                Err(_) => Err(Vec::new()),
            };
            Box::new(ApiTool { operation, exchanger, output: Arc::default() }) as Box<dyn Tool>
        });
        tools.collect::<Vec<_>>().into_iter()
    }
}

impl fmt::Debug for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Api")
            .field("title", &self.document.title)
            .field("base_url", &self.base_url)
            .field("credentials", &self.credentials)
            .field("timeout", &self.timeout)
            .field("retries", &self.retries)
            .field("max_response", &self.max_response)
            .finish_non_exhaustive()
    }
}
