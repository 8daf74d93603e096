//! A resource, and its published definition.

use std::{any::Any, borrow::Cow, pin::Pin};

use super::{
    ListRequest, ListResourcesFuture, ReadResourceResult,
    cache_hints::{CacheHints, cache_settings},
};
use crate::{
    base::error::ToolError,
    engine::{
        call::{Call, operation::Operation},
        tool::{ArgumentsError, ToolDefinition, bound::NamedFunction, definition::item_settings},
    },
    serve::{
        complete::{TextArgument, TextArguments},
        server::{ListChanges, ServiceList},
    },
    wire::protocol::content::Annotations,
};

/// A resource of a server, or a template of many resources. `#[mcp_resource]` generates the implementation; implement it
/// by hand for resources that are known only at run time:
///
/// ```
/// use mcp_runtime::{
///     Call, Server,
///     resource::{ReadRequest, ReadResourceFuture, ReadResourceResult, Resource, ResourceContents, ResourceDefinition, ResourceNotFound},
///     tool::ArgumentsError,
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
///     fn read(&self, _: Call, request: ReadRequest<'_>) -> Result<ReadResourceFuture, ArgumentsError> {
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
    /// [`ResourceNotFound`](crate::resource::ResourceNotFound) from the future if the resource does not exist.
    ///
    /// # Errors
    /// Returns an error if the variables do not fit. The client gets the text of the error.
    fn read(&self, call: Call, request: ReadRequest<'_>) -> Result<ReadResourceFuture, ArgumentsError>;

    /// Begins to list the resources of a template. `resources/list` contains the resources that this method lists. The
    /// server does not call this method if the resource has a fixed URI, because such a resource is always listed.
    /// Default: the template lists nothing.
    fn list(&self, request: ListRequest) -> Option<ListResourcesFuture> {
        let _ = request;
        None
    }

    /// Returns whether the server calls `list`. Generated code without a `list` function returns `false`, so that
    /// `resources/list` does not run as a call.
    #[doc(hidden)]
    fn lists(&self) -> bool {
        true
    }

    /// Begins to watch the resource, if its content can change by itself. The watch tells the list that `list` returns
    /// when the resource has changed.
    #[doc(hidden)]
    fn begin_watch(&self, list: &dyn Fn() -> ResourceList) -> Option<ResourceWatch> {
        let _ = list;
        None
    }
}

/// A watch, or the reason why the watch cannot begin. Dropping the watch ends it.
pub(crate) type ResourceWatch = Result<Box<dyn Any + Send + Sync>, String>;

/// The future of one `resources/read`.
pub type ReadResourceFuture = Pin<Box<dyn Future<Output = Result<ReadResourceResult, ToolError>> + Send>>;

/// The URI that a client reads, and the values of the variables in it.
#[derive(Clone, Debug)]
pub struct ReadRequest<'a> {
    pub(super) uri: &'a str,
    pub(super) variables: TextArguments<'a>,
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

/// The list of a service's resources; see [`Service::resources`](crate::Service::resources). It also tells clients that
/// the content of a resource has changed.
pub type ResourceList = ServiceList<dyn Resource>;

/// Several changes of a [`ResourceList`], which become visible at once.
pub type ResourceChanges = ListChanges<dyn Resource>;

/// The data that a server publishes about a resource or a template of resources, and the settings of its calls.
///
/// `#[mcp_resource]` generates the definition. For a resource created at run time, build the definition by hand:
///
/// ```
/// use std::time::Duration;
///
/// use mcp_runtime::resource::{CacheScope, ResourceDefinition};
///
/// let logo = ResourceDefinition::new("docs://logo", "logo", "The logo of the product.")
///     .mime_type("image/png")
///     .size(4_096)
///     .ttl(Duration::from_secs(86_400))
///     .cache_scope(CacheScope::Public);
/// let page = ResourceDefinition::new("docs://pages/{name}", "page", "A page of the manual.").mime_type("text/markdown");
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct ResourceDefinition {
    /// The settings that resources share with tools.
    pub(super) call: ToolDefinition,
    /// The URI or the template.
    pub(super) uri: Cow<'static, str>,
    pub(super) mime_type: Option<Cow<'static, str>>,
    pub(super) size: Option<u64>,
    pub(super) annotations: Option<Annotations>,
    pub(super) variables: Vec<TextArgument>,
    /// Lists the resources of the template. Without it, [`Resource::list`](super::Resource::list) lists them.
    pub(super) lister: Option<NamedFunction<ListRequest, ListResourcesFuture>>,
    pub(super) cache: CacheHints,
    /// The reason why the resource cannot be served.
    pub(super) problem: Option<String>,
    /// Whether lists leave out the template itself. They contain the resources that it lists.
    pub(super) hides_template: bool,
}

impl ResourceDefinition {
    item_settings!("resource", call);
    cache_settings!("the contents", "who read them");

    /// Creates a resource with a fixed URI, such as `docs://logo`, or a template of resources, such as
    /// `docs://pages/{name}`.
    ///
    /// A template is a URI with variables (RFC 6570: levels 1 and 2, and the queries of level 3):
    ///
    /// | expression | its value |
    /// | --- | --- |
    /// | `{name}` | one or more characters, but not `/`, `?` and `#` unless they are percent-encoded |
    /// | `{+path}` | one or more characters of any kind |
    /// | `{?a,b}` | the values of `a` and `b` in the query, such as `?b=2&a=1`; only at the end of a template |
    /// | `{&a,b}` | the same in a query that the template begins, such as `?kind=page` |
    /// | `{#fragment}` | the text after `#`, if the URI has a `#`; only at the end of a template |
    ///
    /// Values are percent-decoded once. If a URI matches a template in several ways, the first variable gets as much
    /// text as possible. In a query, the variables can have any order, and each can be absent. A query with another
    /// name, or with a name twice, does not match. A `+` in a query is a `+`, not a space. A template does not match a URI of more than 64 KiB.
    ///
    /// Several resources of a server can match one URI. The server reads the resource with this fixed URI, if there is
    /// one. Otherwise it reads the template with the most text outside of its variables. Among templates with the same
    /// amount of text, it reads the one with the fewest `{+…}`, and then the one with the fewest variables in
    /// its query. If these numbers are equal too, it reads the template
    /// that was added first.
    #[track_caller]
    pub fn new(
        uri: impl Into<Cow<'static, str>>,
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
    ) -> Self {
        let mut call = ToolDefinition::new(name, description);
        call.operation = Operation::ReadResource;
        Self {
            call,
            uri: uri.into(),
            mime_type: None,
            size: None,
            annotations: None,
            variables: Vec::new(),
            lister: None,
            cache: CacheHints::default(),
            problem: None,
            hides_template: false,
        }
    }

    /// Sets the MIME type of the contents.
    pub fn mime_type(mut self, mime_type: impl Into<Cow<'static, str>>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Sets the size of the contents in bytes. A template has no size.
    pub fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    /// Sets the audience, the priority and the time of the last change.
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// Describes a variable of the template, so that clients can complete its value.
    pub fn variable(mut self, variable: TextArgument) -> Self {
        self.call.states.extend(variable.needs());
        self.variables.push(variable);
        self
    }

    /// Sets the function that lists the resources of the template.
    pub(crate) fn listed_by(mut self, lister: NamedFunction<ListRequest, ListResourcesFuture>) -> Self {
        self.call.states.extend(lister.states.iter().copied());
        self.lister = Some(lister);
        self
    }

    /// Leaves the template out of lists, which contain the resources that it lists.
    #[cfg(feature = "skills")]
    pub(crate) fn hide_template(mut self) -> Self {
        self.hides_template = true;
        self
    }

    /// Sets where the author has declared the resource.
    #[cfg(feature = "skills")]
    pub(crate) fn declared_at(mut self, place: &'static std::panic::Location<'static>) -> Self {
        self.call.declared_at = place;
        self
    }

    /// Returns the names of the variables of the template. Returns none if the template cannot be used.
    #[cfg(feature = "remote")]
    pub(crate) fn variable_names(&self) -> Vec<String> {
        let template = super::template::UriTemplate::parse(&self.uri);
        template.map(|template| template.variables().map(str::to_owned).collect()).unwrap_or_default()
    }

    /// Returns the URI or the template.
    pub fn uri(&self) -> &str {
        &self.uri
    }
}
