//! The application: one service behind three endpoints.

pub mod api;

use axum::Router;
use mcp_runtime::{
    BuildError, Service,
    contract::{Contract, jsonrpc, rest},
};

/// Returns the application with its endpoints: `/mcp`, `/rpc`, and the routes of the REST API. The service is the one behind
/// `/mcp`. All endpoints have its limits, its allowed hosts and its authorization.
pub fn app(contract: &Contract, service: &Service) -> Result<Router, BuildError> {
    let contract = contract.served_by(service)?;
    let app = jsonrpc::mount(
        service.mount("/mcp"),
        "/rpc",
        contract.clone(),
        jsonrpc::Options::new(),
    )?;
    Ok(rest::mount(app, contract, rest::Options::new())?.fallback(rest::not_found))
}
