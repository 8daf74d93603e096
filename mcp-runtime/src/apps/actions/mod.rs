//! Actions: one tool with many operations.
//!
//! The definition of every tool is part of every request to a model, so dozens of tools fill its context. A tool with
//! actions has one short definition with two fields, `action` and `params`. The model learns the parameters of an
//! action when it needs them, from the built-in action `describe`. Thirty tools with two or three parameters each cost
//! about 2,750 tokens in every request. One tool with these actions costs about 680 tokens, including its instructions,
//! and 90 to 170 tokens for each `describe`. The example `pipelines` shows such a tool.
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
//! for tests and for other interfaces. The tool runs an action in the same way, with the input of a client.
//!
//! # Inputs
//!
//! The input is an object with `action`, the name of an action, and `params`, an object with its parameters. Some
//! models send `params` as a string that holds a JSON object. Such a call runs, and its result has a warning.
//!
//! # Results
//!
//! The structured content of a result is `{ "action": …, "result": … }`, and `warnings` if there are any. `result` is the
//! structured content of the action's output, its text, or its content blocks. An integer that needs more than 64 bits is
//! rounded.
//!
//! An error result has a text that says what to correct. The structured content has the same information as data:
//! `{ "error": { "kind": …, "message": … } }`.
//!
//! | `kind` | what was wrong | further fields |
//! | --- | --- | --- |
//! | `invalid_input` | the input is not an object with `action` and `params` | |
//! | `unknown_action`, `unknown_name` | there is no such action, or no such entry of the catalog | `did_you_mean`, `known` |
//! | `invalid_params` | parameters do not fit | `action`, `problems` |
//! | `failed` | the action itself failed | `action` |
//!
//! Each item of `problems` has `param`, `problem` (`unknown`, `missing`, `type`, `value`, `range` or `other`) and
//! `message`. It also has each of these fields if the value is known: `got`, `allowed`, `minimum`, `maximum`,
//! `did_you_mean`, `hint`.
//!
//! # `describe`
//!
//! | `params` | what it shows |
//! | --- | --- |
//! | none | all actions, each with one line; with a [`Catalog`], also the names of its entries |
//! | `{ "action": "write" }` | the description of the action, each parameter with its type, default, values, range and hint, and an example of a call |
//! | `{ "name": "research" }` | the same for an entry of the catalog |
//!
//! A parameter with `#[param(inputs_of = name)]` holds the inputs of the catalog's entry that the parameter `name` names.
//! They are checked before the action begins, with the same errors as the action's own parameters, and the action gets
//! them with the defaults of the entry.
//!
//! # Runs
//!
//! An action marked `run` works in the background, so it can take minutes and outlive its request. The call returns at
//! once, with the id of the run:
//!
//! ```
//! use mcp_runtime::{prelude::*, runs::Runs};
//! use serde_json::json;
//!
//! struct Films;
//!
//! /// Renders films.
//! #[mcp_actions]
//! impl Films {
//!     /// Renders a film.
//!     #[action(run)]
//!     async fn render(&self, ctx: &Ctx, frames: u32, #[serde(default = 24)] rate: u32) -> String {
//!         for frame in 0..frames {
//!             ctx.progress(frame.into()).total(frames.into());
//!             // …
//!         }
//!         format!("{} s", frames / rate)
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let films = Films.into_actions().runs(Runs::default());
//!
//! let started = films.handle(json!({ "action": "render", "params": { "frames": 48 } })).await;
//! let run = &started["result"];
//! assert_eq!(run["status"], "working");
//! assert_eq!(run["resolved_inputs"], json!({ "frames": 48, "rate": 24 }));
//!
//! let status = json!({ "action": "status", "params": { "run_id": run["run_id"], "wait": true } });
//! assert_eq!(films.handle(status).await["result"]["outputs"], "2 s");
//! # }
//! ```
//!
//! With `"wait": true`, which every run accepts, the call waits until the run has ended and also returns `outputs` or
//! `error`. If the run has failed, the result of the call is an error result, as for any other tool. The call waits for
//! a bounded time ([`Runs::wait`](crate::runs::Runs::wait)). After that it returns the current status, and a text
//! `next` that says what to do next. While a call waits, its client gets the log messages, the progress and the
//! questions of the run. A run that asks while no call waits has the status `input_required`. The run continues when a
//! call with `wait` has got the answer from the user. A run can ask only questions that the client of its first call
//! can answer.
//!
//! A tool with runs has these built-in actions:
//!
//! | action | `params` | result |
//! | --- | --- | --- |
//! | `status` | `run_id`, `include_trace`, `wait` | the run. `result` is an alias that includes the trace |
//! | `cancel` | `run_id` | the cancelled run. A running [step](crate::Ctx::step) is completed first |
//! | `restart` | `run_id`, `wait` | a new run with the same inputs |
//! | `runs` | `action`, `status`, `limit`, `cursor` | the runs of the caller, newest first, and `next_cursor` if there are more |
//!
//! The trace of a run has its log messages, its progress and its questions, each with a time. It has at most 200
//! entries and 128 KiB. If there are more, the oldest entries are dropped, and `trace_dropped` says how many. A run
//! belongs to the principal that began it; for all others it does not exist. All clients without a principal count as
//! one owner, so over HTTP they cannot list runs. The module [`runs`](crate::runs) says how runs are stored, and what
//! happens to them when a server stops. A run has no timeout. No [layer](crate::layer) surrounds a run: layers surround
//! only the call that begins it.
//!
//! Further `kind`s of errors are `unknown_run`, `run_ended` (`cancel` of a run that has ended) and `too_many_runs`. The
//! last one says which [limit](crate::runs#limits) of open runs is reached, and has `"status": 429`, or 503 if all owners
//! together have reached it.
//!
//! # What does not leave
//!
//! [`action_output`](macro@action_output) marks fields of a type. Fields with `#[summary(skip)]` are left out of
//! the results of actions with `#[action(list)]`. Fields with `#[internal]`, and all members of objects whose names
//! begin with `_`, are left out of all results and errors, at every depth and also in dynamic JSON.
//!
//! In the text of an error, and in an output that is text, the value after such a name is replaced: `_token: "x"`
//! becomes `_token: …`. A value that stands in a text without its name is not recognized. What an action sends by
//! itself, such as progress and questions, is not changed. The log messages of an action that is not a run are not
//! changed either. Log messages of runs are treated like results: they leave out the fields whose names are internal in
//! any result of the tool.
//!
//! # Instructions
//!
//! The tool adds a text to the instructions of its server. The text says in which order a model makes calls: first
//! `describe`, then an action, and for a run its `status`. The key `instructions` of the macro and
//! [`Actions::instructions`] add lines to this text. The text of [`Server::instructions`](crate::Server::instructions)
//! comes before it.

mod action;
mod bundle;
mod catalog;
mod describe;
mod dispatch;
mod failure;
mod output_filter;
mod parameters;
mod redact;
mod report;
mod runs;
mod set;
mod visibility;

pub use self::{
    action::Action,
    bundle::Actions,
    catalog::{AnyCatalog, Catalog, CatalogEntry, CatalogParam, ParamsError},
    output_filter::action_output,
    set::ActionSet,
};
