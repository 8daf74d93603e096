//! Contracts: one plain Rust service, published as tools and described for other protocols.
//!
//! A service is an ordinary trait or type with async methods. [`#[contract]`](macro@crate::contract) makes it a
//! [`Resource`], and a [`Contract`] combines resources. The signatures of the service need no types of this crate.
//!
//! ```
//! use std::sync::Mutex;
//!
//! use mcp_runtime::{Server, contract, contract::Contract};
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Clone, Serialize, JsonSchema)]
//! struct Todo {
//!     id: usize,
//!     title: String,
//! }
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct CreateTodo {
//!     title: String,
//! }
//!
//! #[derive(Debug, thiserror::Error)]
//! #[error("there is no todo {0}")]
//! struct NoTodo(usize);
//!
//! /// The todos of a team.
//! #[contract(resource = "todos")]
//! trait TodoApi {
//!     /// Creates a todo.
//!     async fn create(&self, input: CreateTodo) -> Todo;
//!
//!     /// Returns a todo.
//!     async fn get(&self, id: usize) -> Result<Todo, NoTodo>;
//! }
//!
//! #[derive(Default)]
//! struct Todos(Mutex<Vec<Todo>>);
//!
//! impl TodoApi for Todos {
//!     async fn create(&self, input: CreateTodo) -> Todo {
//!         let mut todos = self.0.lock().unwrap();
//!         let todo = Todo { id: todos.len(), title: input.title };
//!         todos.push(todo.clone());
//!         todo
//!     }
//!
//!     async fn get(&self, id: usize) -> Result<Todo, NoTodo> {
//!         self.0.lock().unwrap().get(id).cloned().ok_or(NoTodo(id))
//!     }
//! }
//!
//! # fn main() -> Result<(), mcp_runtime::BuildError> {
//! let contract = Contract::builder("team").resource(Todos::default().into_resource()).build()?;
//! let service = Server::new("team", "1.0.0").contract(&contract).build()?;
//! assert_eq!(service.manifest()["tools"][0]["name"], "todos_create");
//! # Ok(())
//! # }
//! ```
//!
//! # Endpoints
//!
//! These are the ways to call the methods of a contract:
//!
//! | way | what it adds to an application | feature |
//! | --- | --- | --- |
//! | [`Server::contract`](crate::Server::contract) | the tools of a server, on any transport. Over HTTP, `Service::mount` adds the endpoint | `contract` |
//! | `contract::jsonrpc` | an endpoint for JSON-RPC 2.0, and an OpenRPC document | `jsonrpc` |
//! | `contract::rest` | one route for each method, and an OpenAPI document | `rest`; its page needs `swagger-ui` |
//!
//! [`Contract::served_by`] runs the calls of all endpoints in one service, with its layers, limits, allowed hosts and
//! authorization. Whatever a method requires is checked in every call. A contract whose methods have `scopes` cannot be
//! mounted at an endpoint that does not know who calls.
//!
//! You can write another endpoint with an [`Invoker`]. The endpoint reads the [`Descriptor`], fills a [`MethodInput`],
//! sets its [principal](MethodInput::set_principal), and calls a method by the names of the resource and of the method.
//!
//! # Methods
//!
//! A method takes no input, one struct named `input`, or several parameters, which are the fields of one object. It can
//! also take a [`&Ctx`](crate::Ctx), for log messages and progress. A method can ask questions only in calls from MCP
//! clients. In any other call, a question fails with an error.
//!
//! A method returns any type that is `Serialize` and `JsonSchema`, or a `Result`. An error that implements
//! [`ErrorStatus`] has an HTTP status.
//!
//! `#[method(…)]` changes a method:
//!
//! | key | effect |
//! | --- | --- |
//! | `name`, `title`, `description` | other names and another description |
//! | `hidden` | the method is not part of the contract |
//! | `verb`, `path`, `status` | another HTTP route, or another status of a success |
//! | `read_only`, `destructive`, `idempotent`, `open_world` | hints for clients. `list`, `get` and `search` are read-only, `delete` is destructive, and `update` is idempotent |
//! | the other keys of [`#[mcp_tool]`](macro@crate::mcp_tool), such as `timeout` and `scopes` | as for a tool |
//!
//! # Tools
//!
//! A tool's name is the name of the resource, `_`, and the name of the method. Its result is the method's output as
//! structured content, and the same JSON as text. If the method fails, the result is the text of the error with
//! `isError`; see [`Server::error_mapper`](crate::Server::error_mapper).

mod describe;
#[cfg(feature = "http")]
mod endpoint;
mod invoke;
#[cfg(feature = "http")]
pub mod jsonrpc;
#[cfg(feature = "rest")]
pub mod rest;
mod service;

#[cfg(feature = "http")]
pub use self::endpoint::EndpointOptions;
pub use self::{
    describe::{Descriptor, ErrorDescriptor, HttpRoute, MethodDescriptor, ResourceDescriptor},
    invoke::{Contract, ContractBuilder, Invocation, InvokeError, Invoker, MethodInput, RefusedCall},
    service::{
        ErrorFunctions, ErrorProbe, ErrorStatus, Method, MethodError, MethodOutput, MethodResult, Resource, Route,
        WithError, WithoutError,
    },
};
