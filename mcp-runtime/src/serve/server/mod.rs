//! The server: its builder, its tables of methods, its connections.
//!
//! Each module uses only those before it: `core`, `subscriptions`, `connection`, `builder`, `lists`.

mod builder;
pub(crate) mod connection;
mod core;
pub(crate) mod lists;
pub(crate) mod subscriptions;
#[cfg(test)]
mod tests;

pub(crate) use self::connection::local_call;
pub(crate) use self::core::concurrency;
#[cfg(feature = "http")]
pub(crate) use self::core::limits::Limits;
pub use self::{
    builder::Server,
    core::{build_error::BuildError, service::Service},
    lists::{ListChanges, ServiceList, ToolChanges, ToolList},
};
pub(crate) use self::{
    connection::calling,
    core::{extension, listing, pending_call, request, service::Inner},
    lists::{IntoItem, ListKind, ServiceItem},
};
