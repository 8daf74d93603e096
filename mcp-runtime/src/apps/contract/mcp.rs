//! The door for MCP clients over HTTP: each method is a tool of one endpoint.
//!
//! ```
//! use axum::Router;
//! use mcp_runtime::contract::{Contract, mcp};
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
//! let app: Router = mcp::mount(Router::new(), "/mcp", &contract, mcp::Options::new())?;
//! # Ok(())
//! # }
//! ```
//!
//! The endpoint is the same as the endpoint of [`Service::mount`](crate::Service::mount). It serves clients of every
//! protocol revision; see [`serving`](crate::serving). It handles `POST`, `GET` and `DELETE`, and answers other verbs
//! with 405 and `Allow`. To use another transport, or to add more tools, add the contract to a server with
//! [`Server::contract`](crate::Server::contract).
//!
//! A client can hold a stream open for as long as it likes, and axum's graceful shutdown waits for the stream. An
//! application that shuts down gracefully therefore creates the server with [`service`], mounts it, and calls
//! [`Service::shutdown`](crate::Service::shutdown).

use std::fmt;

use axum::{Router, routing::MethodRouter};

use super::{Contract, Invoker as _};
use crate::{
    base::error::ToolError,
    serve::server::{BuildError, Server, Service},
};

/// The options of an MCP door.
#[must_use]
pub struct Options {
    server_info: Option<(String, String)>,
    max_body_size: usize,
    configure: Vec<Configure>,
}

type Configure = Box<dyn FnOnce(Server) -> Server + Send>;

impl Options {
    /// Creates the default options.
    pub fn new() -> Self {
        Self { server_info: None, max_body_size: 1024 * 1024, configure: Vec::new() }
    }

    /// Sets the name and the version that clients see for the server. Default: the name and the version of the
    /// contract.
    pub fn server_info(mut self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.server_info = Some((name.into(), version.into()));
        self
    }

    /// Sets the size of the largest accepted body, in bytes. Default: 1 MiB.
    pub fn max_body_size(mut self, bytes: usize) -> Self {
        self.max_body_size = bytes;
        self
    }

    /// Sets the function that converts the error of a method to a result. The function returns the `isError` and the
    /// text of the result; see [`Server::error_mapper`]. Default: `isError` is `true`, and the text is the text of the
    /// error.
    pub fn error_mapper(self, mapper: impl Fn(&ToolError) -> (bool, String) + Send + Sync + 'static) -> Self {
        self.configure(|server| server.error_mapper(mapper))
    }

    /// Changes any other setting of the server, such as allowed hosts, authorization and limits, or adds more tools.
    pub fn configure(mut self, change: impl FnOnce(Server) -> Server + Send + 'static) -> Self {
        self.configure.push(Box::new(change));
        self
    }

    fn build(self, contract: &Contract) -> Result<Service, BuildError> {
        let descriptor = contract.descriptor();
        let (name, version) = self.server_info.unwrap_or_else(|| (descriptor.name.clone(), descriptor.version.clone()));
        let server = Server::new(name, version).max_message_size(self.max_body_size).contract(contract);
        self.configure.into_iter().fold(server, |server, change| change(server)).build()
    }
}

/// Adds the endpoint at this path.
///
/// # Errors
/// Returns an error if the server cannot be built with these options; see [`Server::build`].
///
/// # Panics
/// Panics if the router already has this route, or does not accept the path.
pub fn mount<S>(router: Router<S>, path: &str, contract: &Contract, options: Options) -> Result<Router<S>, BuildError>
where
    S: Clone + Send + Sync + 'static,
{
    Ok(router.route(path, handler(contract, options)?))
}

/// Returns the server of the endpoint, for an application that shuts down gracefully:
///
/// ```no_run
/// # use std::time::Duration;
/// # use axum::Router;
/// # use mcp_runtime::contract::{Contract, mcp};
/// # async fn serve(contract: Contract) -> Result<(), Box<dyn std::error::Error>> {
/// let service = mcp::service(&contract, mcp::Options::new())?;
/// let app = Router::new().merge(service.mount("/mcp"));
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
/// let shutdown = async move {
///     drop(tokio::signal::ctrl_c().await);
///     service.shutdown(Duration::from_secs(10)).await;
/// };
/// axum::serve(listener, app).with_graceful_shutdown(shutdown).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Returns an error if the server cannot be built with these options; see [`Server::build`].
pub fn service(contract: &Contract, options: Options) -> Result<Service, BuildError> {
    options.build(contract)
}

/// Returns the endpoint, for a route of the application: `app.route("/mcp", mcp::handler(…)?)`.
///
/// # Errors
/// Returns an error if the server cannot be built with these options; see [`Server::build`].
pub fn handler<S>(contract: &Contract, options: Options) -> Result<MethodRouter<S>, BuildError>
where
    S: Clone + Send + Sync + 'static,
{
    Ok(options.build(contract)?.handler().with_state(()))
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("server_info", &self.server_info)
            .field("max_body_size", &self.max_body_size)
            .finish_non_exhaustive()
    }
}
