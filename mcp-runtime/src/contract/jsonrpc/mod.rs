//! The door for [JSON-RPC 2.0](https://www.jsonrpc.org/specification): one endpoint for all methods, with an OpenRPC
//! document.
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
//! let app: Router = jsonrpc::mount(Router::new(), "/rpc", contract, jsonrpc::Options::new());
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
//! - A batch is an array of requests. Its calls run at the same time, and the responses have the order of the requests.
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
//! The HTTP status is 400 if the body is not JSON, 413 if it is too large, and 415 if it is not declared as JSON. It is
//! 200 for every other response.
//!
//! # Security
//!
//! The door does not authenticate callers and does not check the `Origin` header. Put the application's own middleware
//! around the router.

mod batch;
mod door;
mod error;
mod openrpc;
mod options;
mod request;

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    http::{StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse as _, Response},
    routing::{MethodRouter, get, post},
};
use serde_json::Value;

use self::door::RpcDoor;
pub use self::{error::ErrorObject, options::Options};
use super::{Descriptor, Invoker};
use crate::protocol::error::INVALID_REQUEST;

/// Adds the endpoint at this path, and the OpenRPC document.
///
/// # Panics
/// Panics if the router already has one of these routes, or does not accept one of the paths.
pub fn mount<S, C>(router: Router<S>, path: &str, contract: C, options: Options) -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    C: Invoker + 'static,
{
    let document_path = options.openrpc_path.clone();
    let door = RpcDoor::new(Arc::new(contract), options);
    let document = Arc::clone(&door.document);
    let router = router.route(path, route(door));
    let Some(document_path) = document_path else { return router };
    let document = move || async move { ([(CONTENT_TYPE, "application/json")], document.to_string()) };
    router.route(&document_path, get(document))
}

/// Returns the endpoint, for a route of the application: `app.route("/rpc", jsonrpc::handler(…))`.
pub fn handler<S, C>(contract: C, options: Options) -> MethodRouter<S>
where
    S: Clone + Send + Sync + 'static,
    C: Invoker + 'static,
{
    route(RpcDoor::new(Arc::new(contract), options))
}

/// Returns the OpenRPC document that [`mount`] publishes for a contract.
pub fn document(descriptor: &Descriptor) -> Value {
    openrpc::document(descriptor)
}

fn route<S: Clone + Send + Sync + 'static>(door: RpcDoor) -> MethodRouter<S> {
    let door = Arc::new(door);
    let handler = move |request: Request| {
        let door = Arc::clone(&door);
        async move { door.respond(request).await }
    };
    post(handler).fallback(not_allowed)
}

async fn not_allowed() -> Response {
    let error = ErrorObject::new(INVALID_REQUEST, "requests are sent with `POST`");
    (StatusCode::METHOD_NOT_ALLOWED, [(CONTENT_TYPE, "application/json")], error.response("null")).into_response()
}
