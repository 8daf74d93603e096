//! The macros, documented where they are used from.

mod forms;
mod sampling;

pub use self::{
    forms::{Choice, Form, elicits},
    sampling::SampleTools,
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
///     /// What the name of the article begins with.
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
/// The doc comment becomes the tool's description: the model chooses by it, so a tool without one does not compile.
/// The function stays a function: tests call it, and so may other tools.
///
/// # Parameters
///
/// By value comes from the model, by reference comes from the server.
///
/// | parameter | what it is |
/// | --- | --- |
/// | `name: T` | the argument `name`, for every `T` that is `Deserialize` and `JsonSchema` |
/// | `name: Option<T>` | an argument that may be left out |
/// | `#[params] name: T` | all arguments: the fields of `T` |
/// | `name: &Ctx` | the call: log, progress, cancellation, the client |
/// | `name: &Ctx<Forms>` | the same, and it asks the user with the forms of [`Forms`](macro@crate::elicits) |
/// | `name: &T` | shared state: the `T` given to [`Server::state`](crate::Server::state) |
///
/// Which reference is the context is decided by its type, whatever it is called. Arguments that the tool does not
/// have are refused, so that a misspelt one is noticed; with `#[params]` that is `#[serde(deny_unknown_fields)]` on
/// the type.
///
/// A parameter that is not used yet may begin with an underscore: `_query` is the argument `query`.
///
/// The schema is published as the types say, and holds for every argument. `#[serde(alias)]` and `#[serde(other)]` work
/// and are not published. [`Server::build`](crate::Server::build) refuses what could not be called: a default that does
/// not fit its own constraints or is not finite, two variants with one name, two fields with one name of which none could
/// be read.
///
/// A type of another crate needs a feature of `schemars` for its schema, and one of its own for reading it: `chrono`
/// has `schemars/chrono04` and `chrono/serde`, and so do `jiff` (`jiff02`), `url` (`url2`), `uuid` (`uuid1`) and others.
///
/// On a parameter by value may stand:
///
/// | attribute | what it does |
/// | --- | --- |
/// | doc comment | describes the argument to the model |
/// | `#[serde(rename = "…")]`, `#[serde(alias = "…")]` | the argument's name, and other names it may have |
/// | `#[serde(default)]`, `#[serde(default = "function")]`, `#[serde(default = 20)]` | what it is when it is left out: the default of its type, what a function returns, or the value of an expression; shown in the schema |
/// | `#[serde(with = "module")]`, `#[serde(deserialize_with = "function")]` | what reads it |
/// | `#[serde(skip)]` | never read, always its default |
/// | `#[schemars(range(…), length(…), pattern(…), …)]` | what it must fulfil; checked before the function runs |
/// | `#[schemars(with = "Type")]`, `#[schemars(title, example, extend, …)]` | how it is described |
///
/// # Output
///
/// Every [`ToolOutput`](crate::ToolOutput): `()`, text, [`Json`](crate::Json), blocks of content, or a `Result` of one of these.
///
/// # Keys
///
/// | key | value | default | meaning |
/// | --- | --- | --- | --- |
/// | `name` | string | the function's name | what the client calls |
/// | `title` | string | – | what a person reads |
/// | `description` | string | the doc comment | what the model reads; also `include_str!("…")` |
/// | `read_only` | flag | unsaid | changes nothing |
/// | `destructive` | flag | unsaid | may destroy something |
/// | `idempotent` | flag | unsaid | twice is as good as once |
/// | `open_world` | flag | unsaid | reaches beyond the server |
/// | `requires(…)` | list | – | what the client must be able to do: `elicitation`, `elicitation_url`, `sampling`, `sampling_tools`, `roots` |
/// | `optional(…)` | list | – | what the tool uses where the client can: the same words |
/// | `scopes(…)` | list | – | what whoever calls must have been granted, see below: `scopes("flights:write")` |
/// | `timeout` | string | – | how long a call may run: `"500ms"`, `"30s"`, `"5m"`, `"1h"` |
/// | `answer_within` | string | one hour | how long a client may take for its answers: `"10m"`, `"24h"` |
/// | `replayable` | flag | off | the body may be run again from the top with the answers it already got |
/// | `register` | name | the function's name | the type that `tools!` takes, see below |
/// | `meta(…)` | list | – | members of `_meta`: `meta("example.com/version" = 3, beta = true)` |
/// | `crate` | path | `::mcp_runtime` | where the runtime is |
///
/// A flag is written alone or with a value: `read_only` or `read_only = false`.
///
/// # Needs
///
/// | word | the tool |
/// | --- | --- |
/// | `elicitation` | asks the user with forms; said by [`Ctx<Forms>`](crate::Ctx::elicit) already |
/// | `elicitation_url` | sends the user to a page: [`Ctx::visit`](crate::Ctx::visit) |
/// | `sampling` | asks a model: [`Ctx::sample`](crate::Ctx::sample) |
/// | `sampling_tools` | wants a model whose client calls tools by itself |
/// | `roots` | asks which folders the client works in: [`Ctx::roots`](crate::Ctx::roots) |
///
/// What a tool `requires(…)` is looked at before it runs: in a session it is not listed for a client that cannot do it, and
/// since 2026-07-28 the call is refused with -32021, which names the need. `optional(…)` only tells, in the
/// [manifest](crate::Service::manifest).
///
/// `sampling` is also there where the server has a [provider](crate::Server::sampling_provider): then every client can call
/// the tool. `sampling_tools` is seldom right: a model without is told of tools in words, with the same
/// [guarantees](mod@crate::sample), so `requires(sampling)` reaches more clients.
///
/// # Scopes
///
/// A tool with `scopes("flights:write")` is called only by a [`Principal`](crate::Principal) that was granted all of them.
/// Over HTTP others get status 403, and a challenge that names the scopes; so does everybody as long as nothing says who
/// calls: set `Server::authorization`, or name them in a middleware. It is looked at again in every round of a call. Over
/// standard input and in memory, unless a principal is named there, everything is granted: whoever starts the process
/// gives it its credentials.
///
/// # Registration
///
/// The attribute also makes a type of the function's name, which [`tools!`](crate::tools) takes. A type and a
/// function may share a name, but a type and a module or crate may not. So where a module or a crate of that name is
/// in scope, give the type another name:
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
/// # Compile errors
///
/// All mistakes are reported at once, each where it is. A type that cannot be a parameter is one error:
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
/// error[E0277]: `Query` cannot be a parameter of a tool
///  |
///  | async fn search(query: Query) -> String {
///  |                        ^^^^^ cannot be read from the arguments of `tools/call`
///  |
///  = note: by value comes from the model: put `#[derive(serde::Deserialize, schemars::JsonSchema)]` on `Query`, …
/// ```
pub use mcp_macros::mcp_tool;

/// The tools of a server: a `Vec<Box<dyn Tool>>` for [`Server::tools`](crate::Server::tools).
///
/// Each is named by the path of its function.
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
/// Two tools of one name do not compile; across several lists, [`Server::build`](crate::Server::build) refuses them.
#[macro_export]
macro_rules! tools {
    ($($tools:tt)*) => { $crate::__private::expand_tools! { ($crate) $($tools)* } };
}
