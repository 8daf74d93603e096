//! Actions: one tool with many operations.
//!
//! The definition of every tool is part of every request to a model, so dozens of tools fill its context. A tool with
//! actions has one short definition with two fields, `action` and `params`. The model learns the parameters of an action
//! when it needs them, from the built-in action `describe`.
//!
//! ```
//! use mcp_runtime::{Server, prelude::*};
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//! use serde_json::json;
//!
//! struct Reports;
//!
//! #[derive(Deserialize, Serialize, JsonSchema)]
//! #[serde(rename_all = "lowercase")]
//! enum Depth {
//!     Xs,
//!     S,
//!     M,
//! }
//!
//! #[action_output]
//! #[derive(Serialize, JsonSchema)]
//! struct Report {
//!     id: u32,
//!     title: String,
//!     #[summary(skip)]
//!     text: String,
//!     #[internal]
//!     cache_key: String,
//! }
//!
//! fn report(id: u32) -> Report {
//!     Report { id, title: "Tea".into(), text: "Tea is …".into(), cache_key: "tea-1".into() }
//! }
//!
//! /// Writes and finds reports.
//! #[mcp_actions]
//! impl Reports {
//!     /// Lists the reports.
//!     #[action(list)]
//!     async fn list(&self) -> Json<Vec<Report>> {
//!         Json(vec![report(1)])
//!     }
//!
//!     /// Returns a report.
//!     #[action(alias = "show")]
//!     async fn get(&self, id: u32) -> Json<Report> {
//!         Json(report(id))
//!     }
//!
//!     /// Writes a report.
//!     #[action]
//!     async fn write(
//!         &self,
//!         /// What the report is about.
//!         topic: String,
//!         #[param(hint = "Use xs for fast drafts.")] depth: Depth,
//!     ) -> String {
//!         format!("wrote about {topic}")
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let reports = Reports.into_actions();
//!
//! let list = reports.handle(json!({ "action": "list" })).await;
//! assert_eq!(list, json!({ "action": "list", "result": [{ "id": 1, "title": "Tea" }] }));
//!
//! let wrong = reports.handle(json!({ "action": "write", "params": { "topic": "tea", "depth": "standard" } })).await;
//! assert_eq!(
//!     wrong["error"]["problems"][0]["message"],
//!     "`depth` must be one of: xs, s, m (got 'standard'). Hint: Use xs for fast drafts.",
//! );
//!
//! let service = Server::new("reports", "1.0.0").tool(reports).build().unwrap();
//! assert_eq!(service.manifest()["tools"][0]["name"], "reports");
//! # }
//! ```
//!
//! [`mcp_actions`](macro@crate::mcp_actions) documents the macro. [`Actions::handle`] runs an action without a server,
//! for tests and for other interfaces; the tool does the same with the input of a client.
//!
//! # Inputs
//!
//! The input is an object with `action`, the name of an action, and `params`, an object with its parameters. If `params`
//! is a string that holds a JSON object, as some models send it, the call runs, and its result has a warning.
//!
//! # Results
//!
//! The structured content of a result is `{ "action": …, "result": … }`, and `warnings` if there are any. `result` is the
//! structured content of the action's output, its text, or its content blocks. An integer that needs more than 64 bits is
//! rounded.
//!
//! An error result has a text that says what to correct, and the same as data: `{ "error": { "kind": …, "message": … } }`.
//!
//! | `kind` | what was wrong | further fields |
//! | --- | --- | --- |
//! | `invalid_input` | the input is not an object with `action` and `params` | |
//! | `unknown_action`, `unknown_name` | there is no such action, or no such entry of the catalog | `did_you_mean`, `known` |
//! | `invalid_params` | parameters do not fit | `action`, `problems` |
//! | `failed` | the action itself failed | `action` |
//!
//! Each item of `problems` has `param`, `problem` (`unknown`, `missing`, `type`, `value`, `range` or `other`),
//! `message`, and what is known of `got`, `allowed`, `minimum`, `maximum`, `did_you_mean` and `hint`.
//!
//! # `describe`
//!
//! | `params` | what it shows |
//! | --- | --- |
//! | none | all actions, each with one line; with a [`Catalog`], also the names of its entries |
//! | `{ "action": "write" }` | the description of the action, each parameter with its type, default, values, range and hint, and an example of a call |
//! | `{ "name": "research" }` | the same for an entry of the catalog |
//!
//! # What does not leave
//!
//! [`action_output`](macro@crate::action_output) marks fields of a type. Fields with `#[summary(skip)]` are left out of
//! the results of actions with `#[action(list)]`. Fields with `#[internal]`, and all members of objects whose names
//! begin with `_`, are left out of all results and errors, at every depth and also in dynamic JSON.
//!
//! In the text of an error, and in an output that is text, the value after such a name is replaced: `_token: "x"`
//! becomes `_token: …`. A value that stands in a text without its name is not recognized. What an action sends by
//! itself, such as log messages, progress and questions, is not changed.
//!
//! # Instructions
//!
//! The tool adds to the instructions of its server in which order a model calls: first `describe`, then an action. The
//! key `instructions` of the macro and [`Actions::instructions`] add lines to it. The text of
//! [`Server::instructions`](crate::Server::instructions) comes before it.

mod action;
mod built_in;
mod bundle;
mod catalog;
mod describe;
mod exit;
mod facts;
mod failure;
mod input;
mod marks;
mod redact;
mod report;
mod set;
mod start;

pub use self::{
    action::Action,
    bundle::Actions,
    catalog::{AnyCatalog, Catalog, CatalogEntry, CatalogParam, ParamsError},
    set::ActionSet,
};
