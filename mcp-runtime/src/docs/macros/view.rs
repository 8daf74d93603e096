//! `#[mcp_view]`.

/// Turns a struct or a function into a view: a page that hosts show beside the results of a tool (the extension MCP Apps).
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// The seats of a flight.
/// #[mcp_view("ui://flights/seats", html = "seats.html")]
/// struct SeatMap;
///
/// #[derive(serde::Serialize, schemars::JsonSchema)]
/// struct Seats {
///     free: Vec<String>,
/// }
///
/// /// Shows the free seats of a flight.
/// #[mcp_tool(view = SeatMap, read_only)]
/// async fn show_seats(flight: String) -> Json<Seats> {
///     Json(Seats { free: vec!["1A".to_owned(), "2C".to_owned()] })
/// }
///
/// let server = Server::new("flights", "1.0.0").tools(tools![show_seats]);
/// # server.build().unwrap();
/// ```
///
/// The view gets the arguments and the result of each call, above all its structured content. The model gets the text. A
/// view needs no registration: the server serves the pages of the views that its tools and forms name. The guide
/// [`views`](crate::guide::views) says what a page can do and how hosts run it.
///
/// # Page
///
/// `html` is the path of a file, relative to the source file that contains the attribute, as for `include_str!`. The file
/// becomes a part of the program. When the program is compiled, the macro checks that the file
///
/// - exists, is UTF-8, and has at most 1 MiB,
/// - is an HTML document, which begins with `<!doctype html>`,
/// - loads only from declared origins: in tags and styles, another origin is an error. In scripts, it is a warning, because
///   a script can compute its URLs, and can contain URLs that it never loads. The compiler calls the warning the use of a
///   deprecated function. `allow(undeclared_origin)` silences it.
///
/// In an editor without this information about source files, the checks are left out.
///
/// # Pages with state
///
/// Put the attribute on an `async fn`, and its output fills in the page each time that a host reads it:
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// struct Runs(Vec<String>);
///
/// #[derive(serde::Serialize)]
/// struct Run {
///     title: String,
///     steps: Vec<u32>,
/// }
///
/// /// The last run.
/// #[mcp_view("ui://runs/last", html = "run.html", register = LastRun)]
/// async fn last_run(runs: &Runs) -> Option<Json<Run>> {
///     Some(Json(Run { title: runs.0.last()?.clone(), steps: vec![3, 1, 2] }))
/// }
///
/// /// Shows the last run.
/// #[mcp_tool(view = LastRun, read_only)]
/// async fn show_last_run(runs: &Runs) -> Json<usize> {
///     Json(runs.0.len())
/// }
///
/// let server = Server::new("runs", "1.0.0").state(Runs(Vec::new())).tools(tools![show_last_run]);
/// # server.build().unwrap();
/// ```
///
/// | in the page | becomes |
/// | --- | --- |
/// | `{{title}}` | the member `title` of the output: a string, a number or a boolean, escaped. Only in text, and between the quotes of an attribute |
/// | `{{json}}` | the whole output. Only alone in a `<script type="application/json">`, which a script reads with `JSON.parse` |
///
/// In all other places, such as scripts, styles and `href`, a value could become code, so a placeholder there is a compile
/// error. The output is a [`ViewState`](crate::view::ViewState).
///
/// Such a function is also a [resource](macro@crate::mcp_resource): it takes shared state and the context by reference, and
/// accepts the keys `ttl`, `cache_scope`, `list`, `requires`, `optional`, `scopes`, `timeout`, `answer_within`, `replayable`
/// and `register`. Its URI can have variables: `ui://runs/{id}`. Tools and forms cannot name a view with variables, because
/// hosts read the URI as it is written. Add it with [`resources!`](macro@crate::resources), and a view can read it with
/// `resources/read`.
///
/// # Keys
///
/// The first argument is the URI: `ui://`, a name, and a path, such as `ui://flights/seats`.
///
/// | key | value | default | meaning |
/// | --- | --- | --- | --- |
/// | `html` | string | required | the path of the page |
/// | `name` | string | the struct's name in snake case | the name in the list of resources |
/// | `title` | string | – | the name shown to users |
/// | `description` | string | the doc comment | the text in the list of resources |
/// | `csp(…)` | list | nothing | the origins from which the page loads, see below |
/// | `permissions(…)` | list | – | what the page asks the host for: `camera`, `microphone`, `geolocation`, `clipboard_write` |
/// | `prefers_border` | flag | the host decides | whether the page looks best with a border |
/// | `domain` | string | the host chooses | the origin under which the host runs the page; what it means differs between hosts |
/// | `allow(…)` | list | – | `undeclared_origin`: no warning about URLs in scripts |
/// | `crate` | path | `::mcp_runtime` | the path of the runtime crate |
///
/// `csp(…)` has a list of origins for each kind of URL: `connect = "https://api.example"` for one, and
/// `resource = ["https://cdn.example", "https://*.tiles.example"]` for several.
///
/// | key | what the page loads |
/// | --- | --- |
/// | `connect` | what scripts connect to: `fetch`, `XMLHttpRequest`, `WebSocket`, `EventSource` |
/// | `resource` | scripts, styles, fonts, images and media |
/// | `frame` | frames inside the page |
/// | `base_uri` | what `<base href>` can name |
///
/// An origin is a scheme and a host, without a path. Everything else is an error, because hosts write the entries into a
/// header, where other text could be a directive.
///
/// # Specification
///
/// [MCP Apps](https://github.com/modelcontextprotocol/ext-apps), version 2026-01-26, in all revisions in which tools have
/// `_meta`: since 2025-06-18. The server declares the extension `io.modelcontextprotocol/ui` as soon as a view is used, also
/// to clients that do not declare it, because some hosts show views without declaring it. The page is a resource of the
/// type `text/html;profile=mcp-app`.
///
/// # Compile errors
///
/// ```compile_fail
/// # use mcp_runtime::prelude::*;
/// #[mcp_view("ui://flights/seats", html = "sets.html")]
/// struct SeatMap;
/// ```
///
/// ```text
/// error: `sets.html` does not exist; the path is relative to this source file, so the file is `src/sets.html`
///  |
///  | #[mcp_view("ui://flights/seats", html = "sets.html")]
///  |                                         ^^^^^^^^^^^
/// ```
pub use mcp_macros::mcp_view;
