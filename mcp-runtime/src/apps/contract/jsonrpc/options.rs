//! The options of the door.

use std::{fmt, sync::Arc};

use axum::http::request::Parts;
use serde_json::json;

use super::ErrorObject;
use crate::{
    apps::contract::{MethodError, endpoint::EndpointSettings},
    engine::call::Principal,
    wire::protocol::error::METHOD_FAILED,
};

type ErrorObjectMapper = Arc<dyn Fn(&MethodError) -> ErrorObject + Send + Sync>;

/// The options of a JSON-RPC door.
#[derive(Clone)]
#[must_use]
pub struct Options {
    pub(super) endpoint: EndpointSettings,
    pub(super) max_batch: usize,
    pub(super) error_mapper: ErrorObjectMapper,
    pub(super) openrpc_path: Option<String>,
}

impl Options {
    /// Creates the default options.
    pub fn new() -> Self {
        Self {
            endpoint: EndpointSettings::default(),
            max_batch: 100,
            error_mapper: Arc::new(object_of),
            openrpc_path: Some("/openrpc.json".to_owned()),
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
    /// # use mcp_runtime::{Principal, contract::jsonrpc::Options};
    /// let options = Options::new().principal(|parts| parts.extensions.get::<Principal>().cloned());
    /// ```
    pub fn principal(mut self, find: impl Fn(&Parts) -> Option<Principal> + Send + Sync + 'static) -> Self {
        self.endpoint.principal = Some(Arc::new(find));
        self
    }

    /// Sets the size of the largest reply, in bytes. A call whose reply is larger fails after it has run; the operator
    /// gets a report. Default: 64 MiB. The responses of a batch count together.
    pub fn max_reply_size(mut self, bytes: usize) -> Self {
        self.endpoint.max_reply_size = bytes;
        self
    }

    /// Sets the maximum number of requests in a batch. Default: 100.
    pub fn max_batch(mut self, requests: usize) -> Self {
        self.max_batch = requests;
        self
    }

    /// Sets the function that converts the error of a method to the `error` of the response. Default: the code is
    /// -32000, and `message` is the text of the method's error, without its sources, which can name what a stranger
    /// must not know. The sources are reported to the operator. If the method's error has a status, `data` contains the
    /// status.
    pub fn error_mapper(mut self, mapper: impl Fn(&MethodError) -> ErrorObject + Send + Sync + 'static) -> Self {
        self.error_mapper = Arc::new(mapper);
        self
    }

    /// Sets the path at which [`mount`](super::mount) publishes the OpenRPC document; `None` publishes it only through
    /// `rpc.discover`. Default: `/openrpc.json`.
    pub fn openrpc_path<'a>(mut self, path: impl Into<Option<&'a str>>) -> Self {
        self.openrpc_path = path.into().map(str::to_owned);
        self
    }
}

fn object_of(error: &MethodError) -> ErrorObject {
    let object = ErrorObject::new(METHOD_FAILED, error.public_text());
    match error.status() {
        Some(status) => object.with_data(json!({ "status": status })),
        None => object,
    }
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
            .field("max_batch", &self.max_batch)
            .field("openrpc_path", &self.openrpc_path)
            .finish_non_exhaustive()
    }
}
