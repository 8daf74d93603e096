//! Resources: data that a client reads by URI.

mod cache_hints;
mod contents;
mod definition;
#[cfg(feature = "directory")]
mod directory;
mod entry;
mod list;
mod lister;
mod listing;
#[cfg(any(feature = "directory", feature = "skills"))]
mod media_type;
mod methods;
mod output;
mod page_template;
mod registered;
mod template;
mod template_query;
pub(crate) mod uri;
mod view;
mod view_client;
mod view_state;

#[cfg(feature = "directory")]
pub use self::directory::Directory;
#[cfg(all(feature = "directory", feature = "skills"))]
pub(crate) use self::directory::FoundFile;
#[cfg(any(feature = "remote", feature = "skills"))]
pub(crate) use self::registered::resource_of;
pub(crate) use self::registered::uri_of;
#[cfg(all(feature = "http", feature = "plugin"))]
pub(crate) use self::view_client::VIEW_CLIENT;
#[cfg(feature = "skills")]
pub(crate) use self::{cache_hints::CacheHints, definition::ResourceWatch, media_type::media_type};
pub use self::{
    cache_hints::CacheScope,
    contents::{ReadResourceResult, ResourceContents},
    definition::{ReadRequest, ReadResourceFuture, Resource, ResourceChanges, ResourceDefinition, ResourceList},
    entry::ResourceEntry,
    listing::{ListFunction, ListOutput, ListRequest, ListResourcesFuture, ResourcePage},
    output::{ResourceNotFound, ResourceOutput},
    view_state::{ViewState, boxed_resource, fill_page},
};
