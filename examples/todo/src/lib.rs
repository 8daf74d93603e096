//! The todos of a team: one service, three endpoints.

mod error;
mod store;
mod todos;
mod users;

use axum::Router;
use mcp_runtime::{
    BuildError, Service,
    contract::{Contract, jsonrpc, rest},
};

pub use self::{
    error::TodoError,
    store::Store,
    todos::{Todo, TodoApi},
    users::{User, UserApi},
};

/// Returns the contract: the resources `todos` and `users`.
pub fn contract(store: &Store) -> Result<Contract, BuildError> {
    Contract::builder("todo")
        .version(env!("CARGO_PKG_VERSION"))
        .description("The todos of a team.")
        .resource(TodoApi::into_resource(store.clone()))
        .resource(UserApi::into_resource(store.clone()))
        .build()
}

/// Returns the application with all endpoints. The service is the one behind `/mcp`. All endpoints have its limits, its allowed
/// hosts and its authorization.
pub fn app(contract: &Contract, service: &Service) -> Result<Router, BuildError> {
    let contract = contract.served_by(service)?;
    let app = jsonrpc::mount(service.mount("/mcp"), "/rpc", contract.clone(), jsonrpc::Options::new())?;
    Ok(rest::mount(app, contract, rest::Options::new())?.fallback(rest::not_found))
}
