//! The application: one service behind three doors.

pub mod api;

use axum::Router;
use mcp_runtime::{
    Service,
    contract::{Contract, jsonrpc, rest},
};

/// Returns the application with its doors: `/mcp`, `/rpc`, and the routes of the REST API. The service is the one behind
/// `/mcp`.
pub fn app(contract: &Contract, service: &Service) -> Router {
    let app = jsonrpc::mount(service.mount("/mcp"), "/rpc", contract.clone(), jsonrpc::Options::new());
    rest::mount(app, contract.clone(), rest::Options::new()).fallback(rest::not_found)
}
