//! The application: one service behind three doors.

pub mod api;

use axum::Router;
use mcp_runtime::{
    BuildError,
    contract::{Contract, jsonrpc, mcp, rest},
};

/// Returns the application with its doors: `/mcp`, `/rpc`, and the routes of the REST API.
pub fn app(contract: &Contract) -> Result<Router, BuildError> {
    let app = mcp::mount(Router::new(), "/mcp", contract, mcp::Options::new())?;
    let app = jsonrpc::mount(app, "/rpc", contract.clone(), jsonrpc::Options::new());
    Ok(rest::mount(app, contract.clone(), rest::Options::new()).fallback(rest::not_found))
}
