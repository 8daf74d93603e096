//! The `#[contract]` macro.

/// Turns the async methods of a trait, or of an `impl` block, into a resource of a
/// [`Contract`](crate::contract::Contract).
///
/// ```
/// use mcp_runtime::contract;
///
/// struct Clock;
///
/// /// The clock of the server.
/// #[contract(resource = "clock")]
/// impl Clock {
///     /// Returns the seconds since 1970.
///     async fn now(&self) -> u64 {
///         std::time::UNIX_EPOCH.elapsed().map_or(0, |elapsed| elapsed.as_secs())
///     }
///
///     /// Adds minutes to a time.
///     #[method(name = "add", read_only, title = "Add minutes")]
///     async fn add_minutes(
///         &self,
///         /// Seconds since 1970.
///         time: u64,
///         #[serde(default = 1)]
///         minutes: u64,
///     ) -> u64 {
///         time + 60 * minutes
///     }
/// }
///
/// let resource = Clock.into_resource();
/// # mcp_runtime::contract::Contract::builder("clock").resource(resource).build().unwrap();
/// ```
///
/// If the attribute is on a trait, any type can implement the trait: see the module [`contract`](mod@crate::contract).
/// The macro adds the method `into_resource(self)`, and the bounds `Send + Sync + 'static`, because concurrent calls
/// share `self`. An `async fn` of the trait returns a future that is `Send`; an implementation of the trait is still
/// written with `async fn`.
///
/// # Keys
///
/// | key | what it sets |
/// | --- | --- |
/// | `resource = "…"` | the name of the resource; required |
/// | `description = "…"` | its description, in place of the doc comment |
/// | `crate = …` | the path of this crate, if it is not `::mcp_runtime` |
///
/// # Methods
///
/// A method is an `async fn` with `&self`. Its doc comment is its description.
///
/// | parameter | what it is |
/// | --- | --- |
/// | `input: T` alone, or `#[params] name: T` | the whole input: the fields of `T` |
/// | `name: T` | the field `name` of the input, for every `T` that is `Deserialize` and `JsonSchema` |
/// | `name: &Ctx` | the call: log, progress, cancellation. With `&Ctx<Forms>` a method can ask the user, if an MCP client calls the method |
///
/// Parameters have the same attributes as in [`mcp_tool`](macro@crate::mcp_tool). A method returns nothing, or any
/// type that is `Serialize` and `JsonSchema`, or a `Result` of one of these. The error of the `Result` must convert
/// into [`ToolError`](crate::ToolError).
///
/// # Keys of `#[method]`
///
/// | key | what it sets |
/// | --- | --- |
/// | `name = "…"` | the name of the method, in place of the name of the function |
/// | `hidden` | the function is not a method of the resource, so clients cannot call it |
/// | `read_only`, `destructive`, `idempotent`, `open_world` | hints for hosts. By default `list`, `get` and `search` are read-only, `delete` is destructive, and `update` is idempotent |
/// | `verb = "POST"`, `path = "/todos/{id}/done"`, `status = 202` | the route over HTTP |
/// | `title`, `description`, `icons`, `requires`, `optional`, `scopes`, `timeout`, `answer_within`, `replayable`, `allow`, `meta` | as for [`mcp_tool`](macro@crate::mcp_tool) |
///
/// # Errors
///
/// Each mistake is a compile error at the tokens that contain it:
///
/// ```text
/// error: the path has `{id}`, but `finish` has no parameter `id`; add it, or remove it here
///  |
///  |     #[method(path = "/todos/{id}/done")]
///  |                     ^^^^^^^^^^^^^^^^^^
/// ```
pub use mcp_macros::contract;
