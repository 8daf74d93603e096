//! The options that only REST has.

use super::ProblemDetails;
use crate::apps::contract::{EndpointOptions, MethodError, endpoint::ContractProtocol};

/// The options of the REST endpoints.
pub type Options = EndpointOptions<Rest>;

/// The options that only REST has.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Rest {
    pub(super) docs_path: Option<String>,
}

impl EndpointOptions<Rest> {
    /// Sets the path of the OpenAPI document; `None` publishes no document. Default: `/openapi.json`.
    pub fn openapi_path<'a>(mut self, path: impl Into<Option<&'a str>>) -> Self {
        self.document_path = path.into().map(str::to_owned);
        self
    }

    /// Sets the path of the page that shows the document; `None` publishes no page. The page needs the feature
    /// `swagger-ui` and a document. Default: `/docs`.
    pub fn docs_path<'a>(mut self, path: impl Into<Option<&'a str>>) -> Self {
        self.own.docs_path = path.into().map(str::to_owned);
        self
    }
}

impl Default for Rest {
    fn default() -> Self {
        Self { docs_path: Some("/docs".to_owned()) }
    }
}

impl ContractProtocol for Rest {
    type Error = ProblemDetails;

    const DOCUMENT_PATH: &'static str = "/openapi.json";

    fn error(error: &MethodError) -> ProblemDetails {
        ProblemDetails::new(error.status().unwrap_or(500)).detail(error.public_text())
    }
}
