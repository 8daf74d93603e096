//! Resources: data that a client reads by its URI.
//!
//! [`mcp_resource`](macro@crate::mcp_resource) turns a function into a resource, or into a template of resources. The
//! types here are its output ([`ResourceContents`], [`ReadResourceResult`], [`ResourceNotFound`]), the list of a template
//! ([`ResourceEntry`], [`ResourcePage`]), resources that are known only at run time ([`Resource`]), the list of a running
//! server ([`ResourceList`]), and with the feature `directory` the files of a folder (`Directory`).

#[cfg(feature = "directory")]
pub use crate::serve::resource::Directory;
pub use crate::serve::resource::{
    CacheScope, ListFunction, ListOutput, ListRequest, ListResourcesFuture, ReadRequest, ReadResourceFuture,
    ReadResourceResult, Resource, ResourceChanges, ResourceContents, ResourceDefinition, ResourceEntry, ResourceList,
    ResourceNotFound, ResourceOutput, ResourcePage,
};
