//! The options of the door.

use std::{fmt, sync::Arc};

use serde_json::json;

use super::ErrorObject;
use crate::{
    contract::{MethodError, body::MAX_BODY_SIZE},
    protocol::error::METHOD_FAILED,
};

type ErrorObjectMapper = Arc<dyn Fn(&MethodError) -> ErrorObject + Send + Sync>;

/// The options of a JSON-RPC door.
#[derive(Clone)]
#[must_use]
pub struct Options {
    pub(super) max_body_size: usize,
    pub(super) max_batch: usize,
    pub(super) error_mapper: ErrorObjectMapper,
    pub(super) openrpc_path: Option<String>,
}

impl Options {
    /// Creates the default options.
    pub fn new() -> Self {
        Self {
            max_body_size: MAX_BODY_SIZE,
            max_batch: 100,
            error_mapper: Arc::new(object_of),
            openrpc_path: Some("/openrpc.json".to_owned()),
        }
    }

    /// Sets the size of the largest accepted body, in bytes. Default: 1 MiB.
    pub fn max_body_size(mut self, bytes: usize) -> Self {
        self.max_body_size = bytes;
        self
    }

    /// Sets the maximum number of requests in a batch. Default: 100.
    pub fn max_batch(mut self, requests: usize) -> Self {
        self.max_batch = requests;
        self
    }

    /// Sets the function that converts the error of a method to the `error` of the response. Default: the code is
    /// -32000, and `message` is the text of the method's error. If the method's error has a status, `data` contains
    /// the status.
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
    let object = ErrorObject::new(METHOD_FAILED, error.to_string());
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
            .field("max_body_size", &self.max_body_size)
            .field("max_batch", &self.max_batch)
            .field("openrpc_path", &self.openrpc_path)
            .finish_non_exhaustive()
    }
}
