//! The options of the door.

use std::{fmt, sync::Arc};

use axum::http::request::Parts;

use super::ProblemDetails;
use crate::{
    apps::contract::{MethodError, endpoint::EndpointSettings},
    engine::call::Principal,
};

type ProblemMapper = Arc<dyn Fn(&MethodError) -> ProblemDetails + Send + Sync>;

/// The options of a REST door.
#[derive(Clone)]
#[must_use]
pub struct Options {
    pub(super) endpoint: EndpointSettings,
    pub(super) error_mapper: ProblemMapper,
    pub(super) openapi_path: Option<String>,
    pub(super) docs_path: Option<String>,
}

impl Options {
    /// Creates the default options.
    pub fn new() -> Self {
        Self {
            endpoint: EndpointSettings::default(),
            error_mapper: Arc::new(problem_of),
            openapi_path: Some("/openapi.json".to_owned()),
            docs_path: Some("/docs".to_owned()),
        }
    }

    /// Sets the size of the largest accepted body, in bytes. Default: 1 MiB.
    pub fn max_body_size(mut self, bytes: usize) -> Self {
        self.endpoint.max_body_size = bytes;
        self
    }

    /// Sets the function that finds the principal of a request, for example by a signed cookie. A method with `scopes`
    /// needs a principal that was granted them. Default: the principal of the token, if the server of
    /// [`Contract::served_by`](crate::contract::Contract::served_by) has an
    /// [`authorization`](crate::Server::authorization). If there is neither, a contract with scopes is not mounted.
    ///
    /// If a middleware of the application has already added the principal to the extensions of the request, return
    /// this one:
    ///
    /// ```
    /// # use mcp_runtime::{Principal, contract::rest::Options};
    /// let options = Options::new().principal(|parts| parts.extensions.get::<Principal>().cloned());
    /// ```
    pub fn principal(mut self, find: impl Fn(&Parts) -> Option<Principal> + Send + Sync + 'static) -> Self {
        self.endpoint.principal = Some(Arc::new(find));
        self
    }

    /// Sets the size of the largest reply, in bytes. A call whose reply is larger fails after it has run; the operator
    /// gets a report. Default: 64 MiB.
    pub fn max_reply_size(mut self, bytes: usize) -> Self {
        self.endpoint.max_reply_size = bytes;
        self
    }

    /// Sets the function that converts the error of a method to the error response. Default: a problem with the status
    /// of [`ErrorStatus`](crate::contract::ErrorStatus), or 500, and with the text of the error as `detail`, without its
    /// sources, which can name what a stranger must not know. The sources are reported to the operator.
    pub fn error_mapper(mut self, mapper: impl Fn(&MethodError) -> ProblemDetails + Send + Sync + 'static) -> Self {
        self.error_mapper = Arc::new(mapper);
        self
    }

    /// Sets the path of the OpenAPI document; `None` publishes no document. Default: `/openapi.json`.
    pub fn openapi_path<'a>(mut self, path: impl Into<Option<&'a str>>) -> Self {
        self.openapi_path = path.into().map(str::to_owned);
        self
    }

    /// Sets the path of the page that shows the document; `None` publishes no page. The page needs the feature
    /// `swagger-ui` and a document. Default: `/docs`.
    pub fn docs_path<'a>(mut self, path: impl Into<Option<&'a str>>) -> Self {
        self.docs_path = path.into().map(str::to_owned);
        self
    }
}

fn problem_of(error: &MethodError) -> ProblemDetails {
    ProblemDetails::new(error.status().unwrap_or(500)).detail(error.public_text())
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("max_body_size", &self.endpoint.max_body_size)
            .field("openapi_path", &self.openapi_path)
            .field("docs_path", &self.docs_path)
            .finish_non_exhaustive()
    }
}
