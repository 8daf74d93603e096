//! The endpoints for REST: each method is a route, with an OpenAPI 3.1 document.
//!
//! ```
//! use axum::Router;
//! use mcp_runtime::contract::{Contract, rest};
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
//! let app: Router = rest::mount(Router::new(), contract, rest::Options::new())?;
//! # Ok(())
//! # }
//! ```
//!
//! # Routes
//!
//! A route follows from the name of its method. The examples are for the resource `todos`:
//!
//! | method | route | success |
//! | --- | --- | --- |
//! | `list` | `GET /todos` | 200 |
//! | `create` | `POST /todos` | 201, and `Location` if the resource has a `get` |
//! | `get` | `GET /todos/{id}` | 200 |
//! | `update` | `PUT /todos/{id}` | 200 |
//! | `patch` | `PATCH /todos/{id}` | 200 |
//! | `delete` | `DELETE /todos/{id}` | 200 |
//! | any other, such as `search` | `POST /todos/search` | 200 |
//!
//! - A method without an output has the status 204 and an empty body.
//! - If the input has no field `id`, the path ends with the name of the method: `GET /todos/get`.
//! - An author changes a route with `#[method(verb = "GET", path = "/todos/by-title/{title}", status = 202)]`.
//!
//! # Inputs
//!
//! Each parameter of the path sets the input field that has the same name. For `GET` and `DELETE`, the other fields
//! come from the query. For other verbs, they come from the body, which is a JSON object. In a query, a list is written
//! as a repeated parameter (`?tag=a&tag=b`), and an object is written as JSON text. If the path and the body have the
//! same field, the value in the path is used.
//!
//! # Errors
//!
//! An error is a problem document of [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457): a [`ProblemDetails`].
//!
//! | status | cause |
//! | --- | --- |
//! | 400 | the body is incomplete, or not JSON, or has more than 128 levels |
//! | 401, 403 | the token is missing or not valid; the caller lacks a scope; the `Host` or the `Origin` is not allowed |
//! | 404 | no method has this route; only if the application uses [`not_found`] |
//! | 405 | the route has other verbs, which `Allow` lists |
//! | 408 | the body is late |
//! | 413 | the body is too large; see [`Options::max_body_size`] |
//! | 415 | the body has another content type than JSON |
//! | 422 | the input does not fit the schema; `errors` has one text for each mistake |
//! | 429, 503 | the caller, or all callers together, have reached a limit; `Retry-After` says when to try again |
//! | 501 | the method needs a client that answers questions |
//! | that of [`ErrorStatus`](super::ErrorStatus) | the method failed |
//! | 500 | the method failed with an error without a status, panicked, or took too long; the reply is too large |
//!
//! # Security
//!
//! All routes, also those of the documents, are behind the [guard](crate::http::Guard) of the contract's service: it
//! checks `Host`, `Origin` and tokens, and limits bodies and calls. By default only clients of the local machine are
//! allowed. Set [`Server::allowed_hosts`](crate::Server::allowed_hosts),
//! [`Server::authorization`](crate::Server::authorization) and the other settings of a server, and pass its service to
//! [`Contract::served_by`](super::Contract::served_by).

mod endpoint;
mod input;
mod openapi;
mod problem;
#[cfg(feature = "swagger-ui")]
mod swagger_ui;

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Router,
    extract::Request,
    http::{Method, StatusCode, header::CONTENT_TYPE},
    routing::{MethodFilter, MethodRouter, get},
};
use bytes::Bytes;
use serde_json::{Value, json};

use self::endpoint::RestEndpoint;
pub use self::problem::ProblemDetails;
use super::{Descriptor, EndpointOptions, Invoker, MethodError, endpoint::ContractProtocol};
use crate::serve::server::BuildError;

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

/// Adds a route for each method of the contract, and a route for the OpenAPI document. With the feature `swagger-ui`,
/// also adds a page that shows the document.
///
/// # Errors
/// Returns an error if a method needs scopes, but the endpoint cannot establish who calls; see
/// [`Options::principal`].
///
/// # Panics
/// Panics if the router already has one of these routes.
pub fn mount<S, C>(router: Router<S>, contract: C, options: Options) -> Result<Router<S>, BuildError>
where
    S: Clone + Send + Sync + 'static,
    C: Invoker + 'static,
{
    let contract: Arc<dyn Invoker> = Arc::new(contract);
    let guard = options.guard(&*contract, "the REST endpoint")?;
    let mut router = router;
    if let Some(path) = &options.document_path {
        let document = Bytes::from(published(contract.descriptor(), path));
        let handler = get(async move || ([(CONTENT_TYPE, "application/json")], document));
        router = router.route(path, handler.layer(guard.clone()));
        #[cfg(feature = "swagger-ui")]
        if let Some(page) = &options.own.docs_path {
            router = swagger_ui::mount(router, page, path, &guard);
        }
    }
    // One method router for each path. Behind the guard, which answers the preflight requests of web pages, the fallback
    // answers requests with other verbs.
    let mut routes = BTreeMap::new();
    let options = Arc::new(options);
    for (resource, method) in contract.descriptor().methods() {
        let Some(endpoint) = RestEndpoint::new(&contract, resource, method, &guard, &options) else { continue };
        let endpoint = Arc::new(endpoint);
        let handler = move |request: Request| Arc::clone(&endpoint).respond(request);
        let path = router_path(&method.http.path);
        let others = || MethodRouter::new().fallback(not_allowed).layer(guard.clone());
        let route: MethodRouter<S> = routes.remove(&path).unwrap_or_else(others);
        routes.insert(path, route.on(filter(&method.http.verb), handler));
    }
    Ok(routes.into_iter().fold(router, |router, (path, route)| router.route(&path, route)))
}

/// Returns the OpenAPI 3.1 document that [`mount`] publishes for a contract.
pub fn document(descriptor: &Descriptor) -> Value {
    openapi::document(descriptor)
}

/// Returns the text of the document that is published at this path. The URL of the server in the document is relative
/// to the path, because the router can be nested in another.
fn published(descriptor: &Descriptor, path: &str) -> String {
    let mut document = document(descriptor);
    let up = path.matches('/').count().saturating_sub(1);
    document["servers"] = json!([{ "url": if up == 0 { ".".to_owned() } else { vec![".."; up].join("/") } }]);
    document.to_string()
}

/// Returns a [`ProblemDetails`] for a request that no route matches: `app.fallback(rest::not_found)`.
pub async fn not_found(request: Request) -> ProblemDetails {
    ProblemDetails::new(404).detail(format!("there is no route `{}`", request.uri().path()))
}

/// Returns the path for the router, with numbers in place of parameter names. Without the numbers, the router would
/// reject routes such as `/todos/{id}` and `/todos/{name}/tags`, because the same parameter has two names.
fn router_path(path: &str) -> String {
    let mut number = 0;
    let segments = path.split('/').map(|segment| {
        if segment.starts_with('{') {
            number += 1;
            format!("{{{number}}}")
        } else {
            segment.to_owned()
        }
    });
    segments.collect::<Vec<_>>().join("/")
}

fn filter(verb: &str) -> MethodFilter {
    let method = Method::from_bytes(verb.as_bytes()).ok();
    method.and_then(|method| method.try_into().ok()).unwrap_or(MethodFilter::POST)
}

async fn not_allowed(verb: Method) -> ProblemDetails {
    ProblemDetails::of(StatusCode::METHOD_NOT_ALLOWED)
        .detail(format!("the route does not accept `{verb}`; the `Allow` header lists the verbs that it accepts"))
}
