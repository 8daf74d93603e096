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

#[cfg(feature = "cli")]
pub(crate) use self::core::identity::Identity;
pub use self::{
    builder::Server,
    core::{build_error::BuildError, service::Service},
    lists::{ListChanges, ServiceList, ToolChanges, ToolList},
};
pub(crate) use self::{
    connection::{calling, local_call},
    core::{
        concurrency, listed, listing,
        manifest::manifest,
        loading::Loading,
        page_cache::{ListPage, PageCache},
        pending_call, reply_to,
        service::{
            AddTasks, BuiltParts, DEFAULT_TTL, Extension, Extensions, Inner, RequestContext, ServiceRef,
            declare_extension,
        },
        settings::Limits,
    },
    lists::{IntoItem, ListKind, ServiceItem},
};
