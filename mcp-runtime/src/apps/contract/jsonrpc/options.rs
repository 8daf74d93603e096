//! The options that only JSON-RPC has.

use serde_json::json;

use super::ErrorObject;
use crate::{
    apps::contract::{EndpointOptions, MethodError, endpoint::ContractProtocol},
    wire::protocol::error::METHOD_FAILED,
};

/// The options of a JSON-RPC endpoint.
pub type Options = EndpointOptions<JsonRpc>;

/// The options that only JSON-RPC has.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct JsonRpc {
    pub(super) max_batch: usize,
}

impl EndpointOptions<JsonRpc> {
    /// Sets the maximum number of requests in a batch. Default: 100.
    pub fn max_batch(mut self, requests: usize) -> Self {
        self.own.max_batch = requests;
        self
    }

    /// Sets the path at which [`mount`](super::mount) publishes the OpenRPC document; `None` publishes it only through
    /// `rpc.discover`. Default: `/openrpc.json`.
    pub fn openrpc_path<'a>(mut self, path: impl Into<Option<&'a str>>) -> Self {
        self.document_path = path.into().map(str::to_owned);
        self
    }
}

impl Default for JsonRpc {
    fn default() -> Self {
        Self { max_batch: 100 }
    }
}

impl ContractProtocol for JsonRpc {
    type Error = ErrorObject;

    const DOCUMENT_PATH: &'static str = "/openrpc.json";

    fn error(error: &MethodError) -> ErrorObject {
        let object = ErrorObject::new(METHOD_FAILED, error.public_text());
        match error.status() {
            Some(status) => object.with_data(json!({ "status": status })),
            None => object,
        }
    }
}
