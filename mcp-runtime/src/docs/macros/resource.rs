//! `#[mcp_resource]` and `resources![…]`.

/// Turns an `async fn` into a resource: data that a client reads by URI. A URI with variables is a template, which
/// stands for many resources.
///
/// ```
/// use mcp_runtime::{prelude::*, resource::{ListRequest, ResourceEntry}};
///
/// struct Manual(Vec<(String, String)>);
///
/// /// The logo of the product.
/// #[mcp_resource("docs://logo", mime_type = "image/svg+xml", ttl = "24h", cache_scope = "public")]
/// async fn logo() -> &'static str {
///     "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"
/// }
///
/// /// A page of the manual.
/// #[mcp_resource("docs://pages/{name}", mime_type = "text/markdown", list = pages)]
/// async fn page(
///     manual: &Manual,
///     /// The name of the page.
///     name: String,
/// ) -> Option<String> {
///     manual.0.iter().find(|(known, _)| *known == name).map(|(_, text)| text.clone())
/// }
///
/// async fn pages(manual: &Manual, request: ListRequest) -> Vec<ResourceEntry> {
///     manual.0.iter().map(|(name, _)| ResourceEntry::new(request.uri([("name", name)]), name)).collect()
/// }
///
/// let manual = Manual(vec![("start".to_owned(), "# Start".to_owned())]);
/// let server = Server::new("docs", "1.0.0").state(manual).resources(resources![logo, page]);
/// # server.build().unwrap();
/// ```
///
/// # URI
///
/// The first argument is a URI or a template. A template can contain `{name}` and `{+path}`, and at its end the
/// variables of a query, `{?a,b}` or `{&a,b}`, and `{#fragment}`.
/// [`ResourceDefinition::new`](crate::resource::ResourceDefinition::new) describes these forms, and says which resource is read
/// if several resources match a URI.
///
/// # Parameters
///
/// A parameter by value is the variable of the same name. Each variable must be a parameter. The runtime
/// percent-decodes the value and reads it as text, so the parameter's type must be [`FromText`](crate::complete::FromText): text,
/// a number, `bool`, or an enum with [`#[derive(Choice)]`](macro@crate::Choice). A variable of the query and a
/// `{#fragment}` can be absent, so their types can also be an `Option` of one of these: it is `None` if the variable is
/// absent. If an absent variable has another type, or if a value cannot be read, the client gets an error.
///
/// **The value of a variable is chosen by the client.** A `{name}` cannot match a `/`, but the decoded value can
/// contain a `/`, and can be `..`. Check the value before you make it a part of a path.
///
/// | attribute | meaning |
/// | --- | --- |
/// | doc comment | for readers of the code; the protocol has no descriptions of variables |
/// | `#[complete(function)]` | completes the value with this function, which gets shared state by reference and then a [`CompletionRequest`](crate::complete::CompletionRequest) |
/// | `#[arg(name = "…")]` | the variable's name in the template, if that name is not a valid name for a parameter |
///
/// Clients can complete the values of `bool` and of an enum without `#[complete]`.
///
/// Parameters by reference are the same as for [tools](crate::mcp_tool): the context (`&Ctx`, `&Ctx<Forms>`) and shared
/// state. In every revision, a resource can log, report progress, ask its user, and ask a model (sampling), as a tool
/// can.
///
/// # Output
///
/// Text, bytes, JSON, or several parts: see [`ResourceOutput`](crate::resource::ResourceOutput). If the function returns `None`,
/// the client gets the error that the resource does not exist.
///
/// # Keys
///
/// | key | value | default | meaning |
/// | --- | --- | --- | --- |
/// | `mime_type` | string | – | the MIME type of the contents |
/// | `size` | number | – | the size of the contents in bytes; not for a template |
/// | `list` | function | – | lists the resources of a template, see below |
/// | `ttl` | string | no caching | how long a client can cache the contents (since 2026-07-28): `"30s"`, `"1h"` |
/// | `cache_scope` | string | `"private"` | `"public"` if the cached contents are valid for all callers (since 2026-07-28) |
/// | `audience(…)` | list | – | for whom the contents are: `user`, `assistant` |
/// | `priority` | number | – | how important the contents are, from `0.0` to `1.0` |
///
/// `name`, `title`, `description`, `icons(…)`, `requires(…)`, `optional(…)`, `scopes(…)`, `timeout`, `answer_within`,
/// `replayable`, `register`, `allow(…)`, `meta(…)` and `crate` mean the same as for [tools](crate::mcp_tool). For the time of the
/// last change, implement [`Resource`](trait@crate::resource::Resource).
///
/// # Lists
///
/// `resources/list` contains all resources with fixed URIs. `resources/templates/list` contains all templates. To put
/// the resources of a template into `resources/list`, name a `list` function. The function gets up to three values of
/// shared state by reference, and then a [`ListRequest`](crate::resource::ListRequest). It returns a
/// [`ListOutput`](crate::resource::ListOutput). The function cannot ask the user, because the protocol allows no questions during
/// `resources/list`. The server does not cache the list, because the list can depend on the caller.
///
/// # Specification
///
/// All revisions have `resources/list`, `resources/templates/list` and `resources/read`. The lists contain `title` and
/// `_meta` since 2025-06-18. Layers of the server wrap only tools, not resources.
pub use mcp_macros::mcp_resource;

/// Lists resources for [`Server::resources`](crate::Server::resources): `resources![logo, docs::page]`.
///
/// If two resources in one list have the same name, the list does not compile. If they are in different lists, or if
/// two resources have the same URI, [`Server::build`](crate::Server::build) rejects them.
#[macro_export]
macro_rules! resources {
    ($($resources:tt)*) => { $crate::__private::expand_resources! { ($crate) $($resources)* } };
}
