//! Functions that list the resources of a template.

use std::{fmt, pin::Pin, sync::Arc};

use super::{
    ResourceEntry,
    cache_hints::{CacheHints, cache_settings},
    template::UriTemplate,
};
use crate::{
    base::error::{IntoToolError, ToolError},
    engine::{
        call::{Call, Principal},
        tool::{State, output::outputs, state::missing_state},
    },
};

/// A request to list the resources of a template. The server passes it to the function named in `#[mcp_resource(list =
/// …)]`. Before the request, the function can take up to three values of shared state by reference.
///
/// ```
/// use mcp_runtime::resource::{ListRequest, ResourceEntry};
///
/// struct Pages(Vec<String>);
///
/// async fn pages(Pages(names): &Pages, request: ListRequest) -> Vec<ResourceEntry> {
///     names.iter().map(|name| ResourceEntry::new(request.uri([("name", name)]), name)).collect()
/// }
/// ```
pub struct ListRequest {
    pub(crate) call: Call,
    pub(super) template: Arc<UriTemplate>,
    pub(super) cursor: Option<String>,
}

impl ListRequest {
    /// Returns the URI that the template has with these values of its variables. This method percent-encodes the
    /// values. A variable without a value is empty. A variable of the query or of the fragment is left out.
    pub fn uri<'v, T: AsRef<str> + ?Sized + 'v>(
        &self,
        values: impl IntoIterator<Item = (&'v str, &'v T), IntoIter: Clone>,
    ) -> String {
        let values = values.into_iter();
        self.template.expand(|name| values.clone().find(|(known, _)| *known == name).map(|(_, value)| value.as_ref()))
    }

    /// Returns the cursor of the requested page, or `None` for the first page. The list function set this cursor in an
    /// earlier [`ResourcePage`]. The cursor comes from the client, and the client can change it.
    pub fn cursor(&self) -> Option<&str> {
        self.cursor.as_deref()
    }

    /// Returns the server's shared value of this type.
    ///
    /// # Errors
    /// Fails if the server has no value of this type. Add one with [`Server::state`](crate::Server::state).
    pub fn state<T: State>(&self) -> Result<&T, ToolError> {
        self.call.state().ok_or_else(missing_state::<T>)
    }

    /// Returns the caller; see [`Ctx::principal`](crate::Ctx::principal).
    pub fn principal(&self) -> Option<Principal> {
        self.call.0.principal()
    }
}

impl fmt::Debug for ListRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ListRequest").field("cursor", &self.cursor).finish_non_exhaustive()
    }
}

/// The resources that a template lists: all of them, or one page.
///
/// The server cuts a page that is longer than [`Server::page_size`](crate::Server::page_size), and calls the list
/// function again for the rest. If a template has very many resources, let the list function return single pages, so
/// that a call does not build all entries:
///
/// ```
/// use mcp_runtime::resource::{ListRequest, ResourceEntry, ResourcePage};
///
/// async fn numbers(request: ListRequest) -> ResourcePage {
///     let start = request.cursor().and_then(|cursor| cursor.parse().ok()).unwrap_or(0_u32);
///     let entry = |number: u32| {
///         let name = number.to_string();
///         ResourceEntry::new(request.uri([("number", &name)]), name)
///     };
///     let page = ResourcePage::new((start..start + 100).map(entry));
///     if start < 1_000_000 { page.next_cursor((start + 100).to_string()) } else { page }
/// }
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct ResourcePage {
    pub(super) entries: Vec<ResourceEntry>,
    pub(super) next_cursor: Option<String>,
    pub(super) cache: CacheHints,
}

impl ResourcePage {
    cache_settings!("the page", "who got it");

    /// Creates a page with these entries. It is the last page, unless [`next_cursor`](Self::next_cursor) is set.
    pub fn new(entries: impl IntoIterator<Item = ResourceEntry>) -> Self {
        Self { entries: entries.into_iter().collect(), ..Self::default() }
    }

    /// Sets the cursor of the next page. In the request for that page, [`ListRequest::cursor`] returns this text.
    pub fn next_cursor(mut self, cursor: impl Into<String>) -> Self {
        self.next_cursor = Some(cursor.into());
        self
    }
}

/// The future that lists the resources of one template.
pub type ListResourcesFuture = Pin<Box<dyn Future<Output = Result<ResourcePage, ToolError>> + Send>>;

/// A type that a list function can return.
///
/// | type | what the client gets |
/// | --- | --- |
/// | `Vec<ResourceEntry>` | these entries, in pages if there are many |
/// | [`ResourcePage`] | this page |
/// | `Result<T, E>` | `T`, or an error |
#[diagnostic::on_unimplemented(
    message = "a list function cannot return `{Self}`",
    label = "not a list of resources",
    note = "return `Vec<ResourceEntry>`, a `ResourcePage`, or a `Result` of one of these"
)]
pub trait ListOutput {
    /// Converts the value.
    ///
    /// # Errors
    /// Returns the error of the function.
    fn into_page(self) -> Result<ResourcePage, ToolError>;
}

outputs! {
    ListOutput::into_page -> ResourcePage;
    [] Vec<ResourceEntry>: entries => Ok(ResourcePage::new(entries));
    [] ResourcePage: page => Ok(page);
    [T: ListOutput, E: IntoToolError] Result<T, E>: page => {
        page.map_err(IntoToolError::into_tool_error)?.into_page()
    };
}

/// A function that lists resources: `async fn pages(request: ListRequest) -> Vec<ResourceEntry>`. For its outputs see
/// [`ListOutput`].
#[diagnostic::on_unimplemented(
    message = "this function cannot list resources",
    label = "it must take a `ListRequest` and return resources",
    note = "write `async fn pages(request: ListRequest) -> Vec<ResourceEntry>`",
    note = "its future must be `Send`"
)]
pub trait ListFunction {
    /// Begins to list the resources.
    fn begin(self, request: ListRequest) -> ListResourcesFuture;
}

#[diagnostic::do_not_recommend]
impl<F, R> ListFunction for F
where
    F: FnOnce(ListRequest) -> R,
    R: Future<Output: ListOutput> + Send + 'static,
{
    fn begin(self, request: ListRequest) -> ListResourcesFuture {
        let future = self(request);
        Box::pin(async move { future.await.into_page() })
    }
}
