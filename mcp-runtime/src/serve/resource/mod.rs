//! Resources: data that a client reads by URI.

mod contents;
mod definition;
#[cfg(feature = "directory")]
mod directory;
mod entry;
mod lister;
mod listing;
mod methods;
mod output;
mod registered;
mod template;
mod template_query;
mod uri;

use std::{any::Any, pin::Pin};

#[cfg(feature = "directory")]
pub use self::directory::Directory;
pub(crate) use self::methods::uri_of;
pub use self::{
    contents::{ReadResourceResult, ResourceContents},
    definition::{CacheScope, ResourceDefinition},
    entry::ResourceEntry,
    listing::{ListFunction, ListOutput, ListRequest, Listing, ResourcePage},
    output::{ResourceNotFound, ResourceOutput},
};
use crate::{
    base::error::ToolError,
    engine::{call::Call, tool::ArgumentsError},
    serve::{
        complete::TextArguments,
        server::{ListChanges, ServiceList},
    },
};

/// The list of a service's resources; see [`Service::resources`](crate::Service::resources). It also tells clients that
/// the content of a resource has changed.
pub type ResourceList = ServiceList<dyn Resource>;

/// Several changes of a [`ResourceList`], which become visible at once.
pub type ResourceChanges = ListChanges<dyn Resource>;

/// A resource of a server, or a template of many resources. `#[mcp_resource]` generates the implementation; implement it
/// by hand for resources that are known only at run time:
///
/// ```
/// use mcp_runtime::{
///     ArgumentsError, Call, ReadRequest, ReadResourceResult, Reading, Resource, ResourceContents, ResourceDefinition,
///     ResourceNotFound, Server,
/// };
///
/// /// The texts of a configuration file, each under its name.
/// struct Texts(Vec<(String, String)>);
///
/// impl Resource for Texts {
///     fn definition(&self) -> ResourceDefinition {
///         ResourceDefinition::new("texts://{name}", "text", "A text of this team.").mime_type("text/plain")
///     }
///
///     fn read(&self, _: Call, request: ReadRequest<'_>) -> Result<Reading, ArgumentsError> {
///         let name = request.variable("name").unwrap_or_default();
///         let text = self.0.iter().find(|(known, _)| known == name).map(|(_, text)| text.clone());
///         Ok(Box::pin(async move {
///             let text = text.ok_or(ResourceNotFound)?;
///             Ok(ReadResourceResult::new([ResourceContents::text(text)]))
///         }))
///     }
/// }
///
/// let texts = Texts(vec![("motto".to_owned(), "Be clear.".to_owned())]);
/// let server = Server::new("team", "1.0.0").resource(texts);
/// # server.build().unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource",
    label = "not a resource",
    note = "put `#[mcp_resource(\"docs://…\")]` above the `async fn` and name it in `resources![…]`"
)]
pub trait Resource: Any + Send + Sync {
    /// Returns the resource's definition. [`Server::build`](crate::Server::build) calls this method.
    fn definition(&self) -> ResourceDefinition;

    /// Begins `resources/read`: reads the variables of the URI and returns the future of the result. Return
    /// [`ResourceNotFound`] from the future if the resource does not exist.
    ///
    /// # Errors
    /// Returns an error if the variables do not fit. The client gets the text of the error.
    fn read(&self, call: Call, request: ReadRequest<'_>) -> Result<Reading, ArgumentsError>;

    /// Begins to list the resources of a template. `resources/list` contains the resources that this method lists. The
    /// server does not call this method if the resource has a fixed URI, because such a resource is always listed.
    /// Default: the template lists nothing.
    fn list(&self, request: ListRequest) -> Option<Listing> {
        let _ = request;
        None
    }

    /// Returns a function that begins to watch the resource, if its content can change by itself.
    #[doc(hidden)]
    fn begin_watch(&self) -> Option<BeginWatch<'_>> {
        None
    }
}

/// A function that begins to watch a resource. The watch tells the list when the resource has changed.
pub(crate) type BeginWatch<'a> = Box<dyn FnOnce(ResourceList) -> ResourceWatch + 'a>;

/// A watch, or the reason why the watch cannot begin. Dropping the watch ends it.
pub(crate) type ResourceWatch = Result<Box<dyn Any + Send + Sync>, String>;

/// The future of one `resources/read`.
pub type Reading = Pin<Box<dyn Future<Output = Result<ReadResourceResult, ToolError>> + Send>>;

/// The URI that a client reads, and the values of the variables in it.
#[derive(Clone, Debug)]
pub struct ReadRequest<'a> {
    uri: &'a str,
    variables: TextArguments<'a>,
}

impl ReadRequest<'_> {
    /// Returns the URI as the client sent it.
    pub fn uri(&self) -> &str {
        self.uri
    }

    /// Returns the decoded value of a variable of the template. The value can contain any character, and can be `..`.
    /// Check the value before you make it a part of a path.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name)
    }

    /// Returns the decoded values of all variables.
    pub fn variables(&self) -> &TextArguments<'_> {
        &self.variables
    }
}
