//! The macros, documented at their re-exports.

#[cfg(feature = "actions")]
mod actions;
mod contract;
mod forms;
#[cfg(feature = "openapi")]
mod openapi;
mod prompt;
#[cfg(feature = "remote")]
mod remote_tools;
mod resource;
mod sampling;
#[cfg(feature = "settings")]
mod settings;
#[cfg(feature = "skills")]
mod skills;
mod view;

#[cfg(feature = "actions")]
pub use self::actions::mcp_actions;
pub use self::contract::contract;
#[cfg(feature = "settings")]
pub use self::settings::Settings;
pub use self::{
    forms::{Choice, Form, elicits},
    prompt::mcp_prompt,
    resource::mcp_resource,
    sampling::SampleTools,
    view::mcp_view,
};

/// Turns an `async fn` into a tool.
///
/// ```
/// use mcp_runtime::{Server, prelude::*};
///
/// struct Stock(Vec<&'static str>);
///
/// /// Searches the stock.
/// #[mcp_tool(title = "Search", read_only)]
/// async fn search(
///     stock: &Stock,                      // by reference: from the server, `Server::state`
///     /// A prefix of the article's name.
///     prefix: String,                     // by value: from the model, an argument of the call
///     #[serde(default = 10)]
///     #[schemars(range(min = 1, max = 100))]
///     limit: usize,
/// ) -> String {
///     let found: Vec<_> = stock.0.iter().filter(|name| name.starts_with(&prefix)).take(limit).copied().collect();
///     found.join(", ")
/// }
///
/// let server = Server::new("shop", "1.0.0").state(Stock(vec!["tea", "teapot"])).tools(tools![search]);
/// # server.build().unwrap();
/// ```
///
/// The doc comment becomes the tool's description. The model chooses tools by their descriptions, so a tool without a
/// description does not compile. The function stays an ordinary function that tests and other tools can call.
///
/// # Parameters
///
/// A parameter taken by value is an argument from the model; a parameter taken by reference comes from the server.
///
/// | parameter | what it is |
/// | --- | --- |
/// | `name: T` | the argument `name`, for every `T` that is `Deserialize` and `JsonSchema` |
/// | `name: Option<T>` | an argument that may be left out or `null` |
/// | `#[params] name: T` | all arguments: the fields of `T` |
/// | `name: &Ctx` | the call: log, progress, cancellation, the client |
/// | `name: &Ctx<Forms>` | the same, and questions to the user with the forms of [`Forms`](macro@crate::elicits) |
/// | `name: &T` | shared state: the `T` given to [`Server::state`](crate::Server::state) |
///
/// The macro recognizes the context by its type, not by its name. Arguments that the tool does not have are rejected,
/// so that a misspelled name is noticed. With `#[params]`, such arguments are rejected
/// only if the parameter's type has `#[serde(deny_unknown_fields)]`.
///
/// A parameter that is not used yet may begin with an underscore: `_query` is the argument `query`.
///
/// The types of the parameters determine the schema, and every argument is checked against that schema. What hosts see
/// of it, and how `null` and JSON in strings are read, is described in the module [`schemas`](crate::guide::schemas).
/// `#[serde(alias)]` and `#[serde(other)]` work but are not published. To find these two attributes on enum variants,
/// [`Server::build`](crate::Server::build) generates arguments from the schema and deserializes these arguments with
/// the tool's types. If a type rejects some strings that its schema allows, give the type an example of a valid string:
/// `#[schemars(example = &"LIS")]`. [`Server::build`](crate::Server::build) fails if a default violates its own
/// constraints or is not finite, or if two variants or two fields have the same name.
///
/// A type of another crate needs a feature of `schemars` for its schema and a feature of its own crate for
/// deserialization: `schemars/chrono04` and `chrono/serde` for `chrono`; likewise `jiff` (`jiff02`), `url` (`url2`),
/// `uuid` (`uuid1`) and others.
///
/// Attributes of a parameter by value:
///
/// | attribute | what it does |
/// | --- | --- |
/// | doc comment | describes the argument to the model |
/// | `#[serde(rename = "…")]`, `#[serde(alias = "…")]` | the argument's name, and an alias that clients can also send |
/// | `#[serde(default)]`, `#[serde(default = "function")]`, `#[serde(default = 20)]` | the value if the argument is missing: the default of its type, the result of a function, or the value of an expression; published in the schema |
/// | `#[serde(with = "module")]`, `#[serde(deserialize_with = "function")]` | how to deserialize the argument |
/// | `#[serde(skip)]` | the argument is never read and always has its default |
/// | `#[schemars(range(…), length(…), pattern(…), …)]` | constraints; checked before the function runs |
/// | `#[schemars(with = "Type")]`, `#[schemars(title, example, extend, …)]` | how the schema describes the argument |
///
/// # Output
///
/// The function returns a type that implements [`ToolOutput`](crate::ToolOutput): `()`, text, [`Json`](crate::Json),
/// content blocks, or a `Result` of one of these.
///
/// # Keys
///
/// | key | value | default | meaning |
/// | --- | --- | --- | --- |
/// | `name` | string | the function's name | the name that the client calls |
/// | `title` | string | – | the name shown to users |
/// | `description` | string | the doc comment | the text that the model reads; also `include_str!("…")` |
/// | `icons(…)` | list | – | icons that hosts show to users (since 2025-11-25): each an `http:`, `https:` or `data:` URI, or an [`Icon`](crate::content::Icon) |
/// | `read_only` | flag | not published | changes nothing |
/// | `destructive` | flag | not published | can destroy something |
/// | `idempotent` | flag | not published | two calls have the same effect as one call |
/// | `open_world` | flag | not published | reaches beyond the server |
/// | `requires(…)` | list | `elicitation` with `Ctx<Forms>` | capabilities that the client must have: `elicitation`, `elicitation_url`, `sampling`, `sampling_tools`, `roots`, `tasks` |
/// | `optional(…)` | list | – | capabilities that the tool uses if the client has them: the same words as for `requires` |
/// | `scopes(…)` | list | – | scopes that the caller must have, see below: `scopes("flights:write")` |
/// | `timeout` | string | – | how long a call may run: `"500ms"`, `"30s"`, `"5m"`, `"1h"` |
/// | `answer_within` | string | 15 minutes; one hour with `replayable` | how long the client may take to answer: `"10m"`, `"24h"` |
/// | `replayable` | flag | off | the runtime can run the body again from the start, with the same answers as before |
/// | `task` | flag | off | the call continues as a task when its request has ended, for clients that support tasks; see the module `tasks` |
/// | `view` | type | – | the view that hosts show beside the results: a struct with [`#[mcp_view]`](macro@crate::view::mcp_view); the output must have structured content |
/// | `visibility` | string | both | who calls the tool: `"app"` only views, `"model"` only models; hosts enforce it, see the guide [`views`](crate::guide::views) |
/// | `allow(…)` | list | – | what the command `check` and the compiler do not warn of, such as `undescribed_parameter`; the guide `checking` lists the rules |
/// | `register` | name | the function's name | the name of the type that `tools!` takes, see below |
/// | `meta(…)` | list | – | members of `_meta`: `meta("example.com/version" = 3, beta = true)` |
/// | `crate` | path | `::mcp_runtime` | the path of the runtime crate |
///
/// Write a flag alone or with a value: `read_only` or `read_only = false`.
///
/// # Capabilities
///
/// | word | the tool |
/// | --- | --- |
/// | `elicitation` | asks the user with forms; implied by [`Ctx<Forms>`](crate::Ctx::elicit) |
/// | `elicitation_url` | asks the user to open a URL: [`Ctx::elicit_url`](crate::Ctx::elicit_url) |
/// | `sampling` | asks a model: [`Ctx::sample`](crate::Ctx::sample) |
/// | `sampling_tools` | needs a client whose model supports tools natively |
/// | `roots` | asks which folders the client works in: [`Ctx::roots`](crate::Ctx::roots) |
/// | `tasks` | needs a client that supports the extension `tasks` |
///
/// The server checks `requires(…)` before the tool runs. In a session, a client that lacks a capability does not see
/// the tool in the list. Since 2026-07-28 a call from such a client is rejected with the error -32021, which names the
/// capability. The server does not check `optional(…)`, but publishes these capabilities in the
/// [manifest](crate::Service::manifest). A tool with `Ctx<Forms>` and `optional(elicitation)` does not require
/// `elicitation`.
///
/// A [provider](crate::Server::sampling_provider) of the server also satisfies `sampling`: every client can then call
/// the tool. `sampling_tools` is seldom needed. For a model without native tools, the runtime describes the tools in
/// the prompt, with the same [guarantees](mod@crate::sample). So a tool with `requires(sampling)` reaches more clients.
///
/// # Scopes
///
/// Only a [`Principal`](crate::Principal) that has all listed scopes can call a tool with `scopes("flights:write")`.
/// Over HTTP, other callers get status 403 and a challenge that lists the scopes. Without authorization, every caller
/// is rejected in this way. To prevent this, set `Server::authorization`, or set the principal in a middleware. The
/// scopes are checked again in every round of a call. Over stdio, and in memory without a principal, every scope is
/// granted, because the user who starts the process gives the process its credentials.
///
/// # Registration
///
/// The attribute also declares a type for [`tools!`](crate::tools). The type has the function's name. A type can share
/// a name with a function, but not with a module or a crate. If a module or a crate of that name is in scope, give the
/// type another name:
///
/// ```
/// mod search {
///     use mcp_runtime::prelude::*;
///
///     /// Searches.
///     #[mcp_tool(register = SearchTool)]
///     pub async fn search(text: String) {}
/// }
/// pub use search::search;
///
/// let tools = mcp_runtime::tools![search::SearchTool];
/// # assert_eq!(tools[0].definition().name(), "search");
/// ```
///
/// Where a single tool is needed, such as in `Plugin::new`, write the name of the type with braces: `search {}` is the
/// tool, and `search` is the function.
///
/// ```
/// use mcp_runtime::{Tool, prelude::*};
///
/// /// Searches.
/// #[mcp_tool]
/// async fn search(text: String) {}
///
/// let server = Server::new("files", "1.0.0").tool(search {}.with_name("find"));
/// # server.build().unwrap();
/// ```
///
/// # Compile errors
///
/// All mistakes are reported at once, each at its own place. A type that cannot be a parameter causes one error:
///
/// ```compile_fail
/// # use mcp_runtime::prelude::*;
/// struct Query {
///     text: String,
/// }
///
/// /// Searches.
/// #[mcp_tool]
/// async fn search(query: Query) -> String {
///     query.text
/// }
/// ```
///
/// ```text
/// error[E0277]: `Query` cannot be a parameter
///  |
///  | async fn search(query: Query) -> String {
///  |                        ^^^^^ cannot be read from the arguments of `tools/call`
///  |
///  = note: a parameter taken by value is an argument from the model: put `#[derive(serde::Deserialize, schemars::JsonSchema)]` on `Query`, …
/// ```
pub use mcp_macros::mcp_tool;

/// Lists the tools of a server: a `Vec<Box<dyn Tool>>` for [`Server::tools`](crate::Server::tools).
///
/// Each entry is the path of a tool's function.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// mod files {
///     use mcp_runtime::prelude::*;
///
///     /// Reads a file.
///     #[mcp_tool(read_only)]
///     pub async fn read(path: String) -> Result<String, std::io::Error> {
///         std::fs::read_to_string(path)
///     }
/// }
///
/// /// Adds two numbers.
/// #[mcp_tool(read_only)]
/// async fn add(a: i64, b: i64) -> Text<i64> {
///     Text(a + b)
/// }
///
/// let tools = tools![add, files::read];
/// assert_eq!(tools.len(), 2);
/// ```
///
/// If two tools in one list have the same name, the list does not compile. If they are in different lists,
/// [`Server::build`](crate::Server::build) rejects them.
///
/// If the compiler reports "expected type, found function", the function has no `#[mcp_tool]`.
#[macro_export]
macro_rules! tools {
    ($($tools:tt)*) => { $crate::__private::expand_tools! { ($crate) $($tools)* } };
}
