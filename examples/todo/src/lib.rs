//! The todos of a team: one service, three doors.

mod error;
mod store;
mod todos;
mod users;

use axum::Router;
use mcp_runtime::{
    BuildError,
    contract::{Contract, jsonrpc, mcp, rest},
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

/// Returns the application with all doors.
pub fn app(contract: &Contract) -> Result<Router, BuildError> {
    let app = mcp::mount(Router::new(), "/mcp", contract, mcp::Options::new())?;
    let app = jsonrpc::mount(app, "/rpc", contract.clone(), jsonrpc::Options::new());
    Ok(rest::mount(app, contract.clone(), rest::Options::new()).fallback(rest::not_found))
}
