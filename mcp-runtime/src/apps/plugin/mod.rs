//! Tools inside an application, without an MCP client between the tool and the user.
//!
//! The same tool that a server offers over MCP can run in an application that has a user interface of its own, such as
//! a chat. The application calls the tool, follows what happens, and answers the tool's forms.
//!
//! ```text
//!   over MCP                                 inside an application
//!
//!   model ── host ── MCP client              model ── your application ──┬── handlers in Rust
//!                        │                                │              └── a page (`PluginHost::router`)
//!                 MCP, any revision                  `PluginHost`
//!                        │                                │
//!                     server ─────── one tool ────────────┘
//! ```
//!
//! # Use a tool in your application
//!
//! [`#[elicits]`](macro@crate::elicits) has generated a trait for the forms, here `OrderingHandler`. The trait has one
//! async method for each form. Implement the trait for your user interface, and start the tool with this
//! implementation. An implementation that lacks a form does not compile. So if the tool gets another form later, the
//! build fails until you handle that form.
//!
//! ```
//! use mcp_runtime::{Elicited, Result, Server, elicit::ElicitRequest, plugin::{Plugin, TimelineEventKind}, prelude::*};
//! use serde_json::json;
//!
//! #[elicits]
//! enum Ordering {
//!     /// What to order.
//!     Pick { dish: String },
//!     /// Order it?
//!     Confirm { confirmed: bool },
//! }
//!
//! struct Order;
//!
//! /// Orders food.
//! #[handoff]
//! impl Order {
//!     async fn before(&self, people: usize) -> Vec<String> {
//!         vec![format!("soup for {people}"), format!("pasta for {people}")]
//!     }
//!
//!     async fn client(ctx: &Ctx<Ordering>, menu: &Vec<String>) -> Result<Option<String>> {
//!         let pick = ctx.elicit::<Pick>("What would you like?").choices(Pick::DISH, menu.clone()).strict().await?;
//!         let sure = ctx.elicit::<Confirm>(format!("Order {}?", pick.dish)).strict().await?;
//!         Ok(sure.confirmed.then_some(pick.dish))
//!     }
//!
//!     async fn after(&self, _menu: Vec<String>, dish: Option<String>) -> String {
//!         dish.map_or("nothing ordered".into(), |dish| format!("ordered {dish}"))
//!     }
//! }
//!
//! /// A real application would show a form and wait for the user.
//! struct Ui;
//!
//! impl OrderingHandler for Ui {
//!     async fn pick(&self, request: ElicitRequest<'_, Pick>) -> Elicited<Pick> {
//!         let menu = request.choices(Pick::DISH);
//!         Elicited::Accept(Pick { dish: menu[1].value.clone() })
//!     }
//!
//!     async fn confirm(&self, request: ElicitRequest<'_, Confirm>) -> Elicited<Confirm> {
//!         assert_eq!(request.message(), "Order pasta for 2?");
//!         Elicited::Accept(Confirm { confirmed: true })
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let order = Plugin::new(Order).on_elicit(Ui).start(Server::new("kitchen", "1.0.0")).await?;
//! let mut call = order.call(json!({ "people": 2 })).await?;
//! while let Some(event) = call.next_event().await {
//!     if let TimelineEventKind::Log { data, .. } = event.kind {
//!         println!("{data}");
//!     }
//! }
//! assert_eq!(call.outcome().await.text(), "ordered pasta for 2");
//! # Ok(())
//! # }
//! ```
//!
//! The [`Server`](crate::Server) holds the same settings as for an MCP server: the shared state, the ledger, the model
//! for tools that sample ([`Server::sampling_provider`](crate::Server::sampling_provider)), and the layers. The host
//! does not serve it to MCP clients.
//!
//! A [`PluginHost`] runs several tools, for example for a chat. [`PluginHost::tools_for`] describes the tools to a
//! model. [`PluginHost::call_as`] runs the tool that the model calls, for one user of the application.
//! [`PluginOutcome::text`] is the text for the model. Calls run concurrently. [`PluginHost::server`] offers the same
//! tools to MCP clients.
//!
//! # Timelines
//!
//! A [`PluginCall`] is a stream of [events](TimelineEvent). Everyone who may see the call can follow it, starting at
//! any event.
//!
//! | event | meaning |
//! | --- | --- |
//! | `started` | the call has begun |
//! | `log`, `progress` | what the tool reports; only the last 500 messages, at most 128 KiB of them, and the last progress are kept. A message of more than 64 KiB is left out |
//! | `elicit` | a question is open, until `answered` |
//! | `answered` | the user has submitted, declined or closed the question |
//! | `sample` | the server's own model has answered a question of the tool |
//! | `finished` | the call has a result, possibly one with `isError` |
//! | `failed` | the call has ended without a result |
//! | `cancelled` | the call was cancelled |
//!
//! A tool that was added with [`Server::tool`](crate::Server::tool) has no handler, unless
//! [`PluginHostBuilder::on_elicit`] sets one for its name. It asks its questions on the
//! timeline of the call, and [`PluginCall::answer`] answers them. Only the first answer counts. With a handler the
//! timeline shows the same events, and a follower can answer before the handler does.
//!
//! A tool can also ask the user to open a page. The trait of a handler has a method for that, `elicit_url`. Without this
//! method, the page stays on the timeline.
//!
//! Answers are checked against the form before the tool gets them. Inside an application, a tool can ask only one
//! question at a time: the second question of a `join!` fails with an [`AskError`](crate::AskError) that says so.
//!
//! # Over the wire
//!
//! [`PluginHost::router`] (feature `http`) serves the calls to a page. All bodies are JSON. A call belongs to the user
//! that the application's middleware has identified.
//!
//! | request | answer |
//! | --- | --- |
//! | `GET /tools` | `{"tools": […]}`: the tools, as in `tools/list`, each with its `forms` |
//! | `POST /calls` `{"tool": …, "arguments": {…}}` | 201 and the call |
//! | `GET /calls` | `{"calls": […]}`: the user's open calls, oldest first |
//! | `GET /calls/{id}` | the call: `id`, `tool`, `title`, `arguments`, `status`, `startedAt`, `lastEvent`, and its open `question` |
//! | `GET /calls/{id}/events` | its timeline as server-sent events, after the event in `Last-Event-ID` or `?after=`. The stream ends when the call ends. A client that already has the call's last event gets the status 204, so that an `EventSource` stops |
//! | `POST /calls/{id}/answers` `{"seq": 1, "action": "accept", "content": {…}}` | 200. `action` is `accept`, `decline` or `cancel` |
//! | `DELETE /calls/{id}` | 202: the call is asked to end |
//! | `GET /resources?uri=` | the result of `resources/read`, for the user. A resource that asks the user cannot be read |
//! | `GET /views?uri=` | a frame with a [view](mod@crate::view), see below |
//!
//! | error | status and `error.code` |
//! | --- | --- |
//! | no user | 401 `no_user` |
//! | the `Host` or the `Origin` is not allowed; see [`PluginHost::router`] | 403 `forbidden` |
//! | no such tool; no such call, or the call of another user | 404 `unknown_tool`, `unknown_call` |
//! | no such resource; the resource is not a view | 404 `unknown_resource`, `not_a_view` |
//! | the resource cannot be read by this user; it asks the user; it failed | 403 or the status of the refusal `refused`, 422 `resource_asks`, 500 `resource_failed` |
//! | the question was already answered, possibly in another tab | 409 `already_answered` |
//! | the answer does not fit; `error.problems` names the fields | 422 `invalid_answer` |
//! | a body that is not JSON, too large, or wrong | 415 `not_json`, 413 `too_large`, 400 `unreadable`, `invalid_arguments` |
//! | the body is late; too many requests at once, or replies that the user has not read | 408 `too_slow`, 429 `too_many_requests`, 503 `full` |
//! | too many open calls of the user, or event streams of the call or the user | 429 `too_many_calls`, `too_many_followers` |
//! | too many of them of all users; the ledger is not available | 503 `full`, `unavailable` |
//!
//! [`PluginHost::typescript`] writes a client and the exact types of tools, forms and results. In TypeScript too, a
//! page that does not handle all forms does not compile. The example `chat` has a page in TypeScript. The example
//! `embedded` is a program for the terminal.
//!
//! # Views
//!
//! A page can show the [views](mod@crate::view) of tools, as other hosts of MCP Apps do. `view-host.ts`, which
//! [`PluginHost::typescript`] writes if a tool has a view, does this: it shows the input and the result of a call, and asks
//! a question with its view (`question.view`, feature `views-preview`). If the view fails or its answer does not fit, the
//! page asks with its own form. The example `chat` does both.
//!
//! A view is a page that the application did not write, so it gets nothing of the application:
//!
//! - `GET /views` answers with a frame that contains the view in a frame of its own. Both are sandboxed without an origin,
//!   also if the address is opened as a page. So a view reaches no cookies, no storage and no document of the application,
//!   and cannot navigate it. An application needs no second domain for that.
//! - The policy of the frame is a header, made from the origins that the view declares. Only with a header, `frame-src` stops
//!   the view from navigating its own frame. What is not an origin is left out of the policy.
//! - Only a page of the same origin can show the frame. Add `frame-src 'self'` to the policy of your page, if it has one.
//! - `view-host.ts` takes messages only from the window of its frame. It calls tools for a view only if they are for views,
//!   and no tool while the view asks a question. Messages and links of a view are proposals: the page shows them to the user.
//!
//! No policy stops WebRTC, so a hostile view can send packets to any address. A browser keeps frames without an origin in a
//! process of their own; where that is not enough, serve the routes under another domain as well, and show the views from
//! there.
//!
//! [`tools_for`](PluginHost::tools_for) and [`sampling_tools`](PluginHost::sampling_tools) leave out tools that are only for
//! views.
//!
//! # Restarts
//!
//! With a store that outlives the process, such as `SqliteStore`, an open call survives the end of the process, even
//! a crash. When a host of the same [name](PluginHostBuilder::instance) starts again, it resumes each call at the open
//! question of the call, or with the answer that was stored. The promises of the page [`surviving`](crate::guide::surviving)
//! apply to these calls, because a host is a client of its own server, and uses the newest revision of the protocol. In
//! particular:
//!
//! - `before` runs again only if the process ended before the first question was stored.
//! - `after` never begins twice. If the process ended while it ran, the call fails and says that the outcome is unknown.
//! - A plain tool that asks, without [`replayable`](macro@crate::mcp_tool), cannot be resumed. Its call fails.
//! - After a crash in the middle of a round, the call waits for the [lease](crate::Server::lease) of the round.
//! - The last log messages before a crash can be missing. The events after a restart have larger numbers than all
//!   events before.
//!
//! Calls are stored for a day. With the feature `seal` and keys they are encrypted.
//!
//! # Limits
//!
//! - A user has at most 64 open calls, and a host 16,384. If the host is full, the user with most waiting calls loses the
//!   oldest one. [`PluginLimits`] has all limits of calls, event streams and bytes.
//! - A question waits as long as the tool's `answer_within`, by default an hour. If no answer comes in this time, the
//!   call fails.
//! - A waiting call needs about 5 KB of memory, plus the memory that the tool itself holds.
//! - A tool cannot ask for roots, and only the server's own model answers sampling.
//! - The value that `before` passes on is part of each question, so a page can read it. Do not put secrets into it.
//! - Prompts of the server are for its MCP clients only.

mod calls;
mod host;
#[cfg(feature = "http")]
mod router;
mod timeline;
#[cfg(feature = "http")]
mod typescript;

#[cfg(feature = "http")]
pub use self::typescript::TypeScript;
pub use self::{
    calls::{
        error::{AnswerProblem, PluginError},
        limits::PluginLimits,
    },
    host::{
        PluginHost,
        builder::{PluginHostBuilder, StartError},
        handle::{PluginCall, PluginOutcome},
        handler::{AnsweredBy, NoHandler, OnElicit},
        hosted::HostedPlugin,
        model_tools::ModelApi,
        with_handler::{AsksForms, Plugin},
    },
    timeline::{
        event::{AnswerAction, CallStatus, TimelineEvent, TimelineEventKind},
        question::{PluginQuestion, QuestionMode},
        result::PluginResult,
    },
};
