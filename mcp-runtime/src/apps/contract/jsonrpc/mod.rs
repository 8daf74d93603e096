//! The endpoint for [JSON-RPC 2.0](https://www.jsonrpc.org/specification), which serves all methods, with an
//! OpenRPC document.
//!
//! ```
//! use axum::Router;
//! use mcp_runtime::contract::{Contract, jsonrpc};
//! # struct Clock;
//! # /// The clock.
//! # #[mcp_runtime::contract(resource = "clocks")]
//! # impl Clock {
//! #     /// Returns the time.
//! #     async fn now(&self) -> u64 { 1 }
//! # }
//!
//! # fn main() -> Result<(), mcp_runtime::BuildError> {
//! let contract = Contract::builder("team").resource(Clock.into_resource()).build()?;
//! let app: Router = jsonrpc::mount(Router::new(), "/rpc", contract, jsonrpc::Options::new())?;
//! # Ok(())
//! # }
//! ```
//!
//! # Calls
//!
//! A client posts `{ "jsonrpc": "2.0", "id": 1, "method": "todos.get", "params": { "id": 3 } }`. The method `todos.get`
//! is the method `get` of the resource `todos`. `params` is an object with the fields of the input, or an array of
//! their values in the order of the OpenRPC document. Required fields come first. Without `params`, the input has no
//! fields. `rpc.discover` returns the OpenRPC document.
//!
//! - A request without `id` is a notification. It gets no response.
//! - A batch is an array of requests. At most eight of its calls run at the same time, and the responses have the order of
//!   the requests.
//! - If no request gets a response, the status is 204 and the body is empty.
//!
//! # Errors
//!
//! | code | cause | `data` |
//! | --- | --- | --- |
//! | -32700 | the body is incomplete, or not JSON | |
//! | -32600 | the JSON is not a request, the batch is empty or too long, or the body is too large or not declared as JSON | |
//! | -32601 | there is no such method | |
//! | -32602 | the params do not fit the schema | `{ "errors": [one text for each mistake] }` |
//! | -32603 | the method panicked, or took too long | |
//! | -32000 | the method failed; see [`Options::error_mapper`] | `{ "status": … }`, if its type has an [`ErrorStatus`](super::ErrorStatus) |
//!
//! A call that was refused before its method ran has one of the codes -32600, -32603 and -32021, and `data` has `status`,
//! and `requiredScopes` or `retryAfterMs` where they help; see [`RefusedCall`](super::RefusedCall).
//!
//! The HTTP status is 400 if the body is not JSON, 408 if it is late, 413 if it is too large, and 415 if it is not
//! declared as JSON. A refused call that is alone in its body has the status of its refusal. The status is 200 for every
//! other response.
//!
//! # Security
//!
//! The endpoint and its document are behind the [guard](crate::http::Guard) of the contract's service: it checks `Host`,
//! `Origin` and tokens, and limits bodies and calls. By default only clients of the local machine are allowed. Set
//! [`Server::allowed_hosts`](crate::Server::allowed_hosts), [`Server::authorization`](crate::Server::authorization) and
//! the other settings of a server, and pass its service to [`Contract::served_by`](super::Contract::served_by).

mod endpoint;
mod openrpc;
mod request;
mod response;

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    http::{StatusCode, header::CONTENT_TYPE},
    response::Response,
    routing::{MethodRouter, get},
};
use bytes::Bytes;
use serde_json::{Value, json};

use self::endpoint::RpcEndpoint;
pub use self::response::ErrorObject;
use super::{Descriptor, EndpointOptions, Invoker, MethodError, endpoint::ContractProtocol};
use crate::{
    serve::server::BuildError,
    wire::protocol::error::{INVALID_REQUEST, METHOD_FAILED},
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

    /// Sets the path at which [`mount`] publishes the OpenRPC document; `None` publishes it only through
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

/// Adds the endpoint at this path, and the OpenRPC document.
///
/// # Errors
/// Returns an error if a method needs scopes, but the endpoint cannot establish who calls; see
/// [`Options::principal`].
///
/// # Panics
/// Panics if the router already has one of these routes, or does not accept one of the paths.
pub fn mount<S, C>(router: Router<S>, path: &str, contract: C, options: Options) -> Result<Router<S>, BuildError>
where
    S: Clone + Send + Sync + 'static,
    C: Invoker + 'static,
{
    let document_path = options.document_path.clone();
    let endpoint = Arc::new(RpcEndpoint::new(Arc::new(contract), options)?);
    let router = router.route(path, route(&endpoint));
    let Some(document_path) = document_path else { return Ok(router) };
    let document = Bytes::from(endpoint.document.clone());
    let handler = get(async move || ([(CONTENT_TYPE, "application/json")], document));
    Ok(router.route(&document_path, handler.layer(endpoint.guard.clone())))
}

/// Returns the endpoint, for a route of the application: `app.route("/rpc", jsonrpc::handler(…)?)`.
///
/// # Errors
/// Returns the errors of [`mount`].
pub fn handler<S, C>(contract: C, options: Options) -> Result<MethodRouter<S>, BuildError>
where
    S: Clone + Send + Sync + 'static,
    C: Invoker + 'static,
{
    Ok(route(&Arc::new(RpcEndpoint::new(Arc::new(contract), options)?)))
}

/// Returns the OpenRPC document that [`mount`] publishes for a contract.
pub fn document(descriptor: &Descriptor) -> Value {
    openrpc::document(descriptor)
}

fn route<S: Clone + Send + Sync + 'static>(endpoint: &Arc<RpcEndpoint>) -> MethodRouter<S> {
    let (endpoint, guard) = (Arc::clone(endpoint), endpoint.guard.clone());
    let handler = move |request: Request| Arc::clone(&endpoint).respond(request);
    // The guard answers the preflight requests of web pages.
    MethodRouter::new().fallback(not_allowed).layer(guard).post(handler)
}

/// Answers a request with another verb than `POST`.
async fn not_allowed() -> Response {
    let error = ErrorObject::new(INVALID_REQUEST, "requests are sent with `POST`");
    response::failed(StatusCode::METHOD_NOT_ALLOWED, &error)
}
