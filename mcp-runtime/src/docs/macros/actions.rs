//! The macro `#[mcp_actions]`.

/// Turns the methods of an `impl` block into the actions of one tool.
///
/// ```
/// use mcp_runtime::{Server, prelude::*};
/// use serde_json::json;
///
/// struct Lamp;
///
/// /// Controls the lamp.
/// #[mcp_actions(name = "lamp", title = "Lamp")]
/// impl Lamp {
///     /// Sets the brightness.
///     #[action(alias = "set", alias("off", percent = 0))]
///     async fn dim(
///         &self,
///         #[schemars(range(max = 100))]
///         #[param(hint = "30 is enough for reading.")]
///         percent: u8,
///     ) -> String {
///         format!("{percent} %")
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let server = Server::new("home", "1.0.0").tool(Lamp);
/// # server.build().unwrap();
///
/// let lamp = Lamp.into_actions();
/// assert_eq!(lamp.handle(json!({ "action": "off" })).await, json!({ "action": "dim", "result": "0 %" }));
/// # }
/// ```
///
/// [`Server::tool`](crate::Server::tool) takes the value. The macro also adds the method `into_actions(self)`, which
/// returns [`Actions`](crate::actions::Actions), for settings such as [`runs`](crate::actions::Actions::runs) and for
/// calls without a server. The module [`actions`](mod@crate::actions) says what a client sees. Methods without
/// `#[action]` are not changed.
///
/// # Keys
///
/// | key | what it sets |
/// | --- | --- |
/// | `name = "…"` | the name of the tool; default: the type's name in snake case, such as `data_pipelines` for `DataPipelines` |
/// | `description = "…"` | its description, in place of the doc comment |
/// | `instructions = "…"` | a line that is added to the instructions of the server |
/// | `catalog` | `describe` also shows the entries of the type's [`Catalog`](crate::actions::Catalog) |
/// | `title`, `icons`, `read_only`, `destructive`, `idempotent`, `open_world`, `requires`, `optional`, `scopes`, `timeout`, `answer_within`, `replayable`, `allow`, `meta`, `crate` | as for [`mcp_tool`](macro@crate::mcp_tool), for the whole tool |
///
/// # Actions
///
/// An action is an `async fn` with `&self` and `#[action]`. Its doc comment is its description. Its parameters, its
/// output and its errors follow the rules of [`mcp_tool`](macro@crate::mcp_tool). A parameter can also have a hint,
/// which `describe` and errors show: `#[param(hint = "…")]`. `#[param(inputs_of = name)]` marks the parameter with the
/// inputs of the [`Catalog`](crate::actions::Catalog)'s entry that the parameter `name` names. These inputs are checked
/// before the action begins, and the action gets them with the defaults of the entry.
///
/// | key of `#[action(…)]` | what it sets |
/// | --- | --- |
/// | `name = "…"` | the name of the action, in place of the name of the function |
/// | `description = "…"` | its description, in place of the doc comment |
/// | `alias = "…"` | an alias, such as a former name; it is accepted but not shown. The key can be repeated |
/// | `alias("…", parameter = literal)` | an alias that also sets parameters, if the caller does not send them |
/// | `list` | the results are lists, and fields with `#[summary(skip)]` are left out of the results |
/// | `run` | the action runs in the background; see [Runs](mod@crate::actions#runs). The action cannot have a parameter `wait` |
///
/// A client that cannot show forms can call the tool, but cannot call an action that asks the user.
///
/// # Errors
///
/// Each mistake is a compile error at the tokens that contain it:
///
/// ```text
/// error: unknown parameter `percnt`; did you mean `percent`?
///  |
///  |     #[action(alias("off", percnt = 0))]
///  |                           ^^^^^^
/// ```
pub use mcp_macros::mcp_actions;
