//! Views: pages that hosts show beside the results of a tool, or in place of a form.
//!
//! [`mcp_view`](macro@crate::view::mcp_view) makes a view of an HTML file and a struct. Name the struct where the view is
//! used, and the server serves the page:
//!
//! | where | when the host shows the view |
//! | --- | --- |
//! | `#[mcp_tool(view = SeatMap)]`, `#[handoff(view = SeatMap)]`, `#[mcp_actions(view = SeatMap)]` | with each result of the tool |
//! | [`ToolDefinition::view`](crate::tool::ToolDefinition::view) | the same, for a tool created at run time |
//! | `#[elicit(view = SeatMap)]` on a variant of [`#[elicits]`](macro@crate::elicits) | in place of the form, see below |
//!
//! Two views with one URI are an error of [`Server::build`](crate::Server::build).
//!
//! # What the model and the view get
//!
//! A view gets the arguments of the call and the whole result. The model gets only the text of the result, and so does
//! every client without views. So a tool with a view returns structured content, which is the view's data, and text that
//! is useful alone:
//!
//! | output | the view gets | the model gets |
//! | --- | --- | --- |
//! | [`Json<T>`](crate::Json) | the value | its JSON as text |
//! | `CallToolResult::json(&value)?.text("…")`, see [`CallToolResult`](crate::CallToolResult) | the value | the text; if it is empty, the JSON of the value |
//!
//! Any other output does not compile. A tool never returns an empty text with a view.
//!
//! # What a page is
//!
//! One HTML document with its own styles and scripts, at most 1 MiB. A host runs it in a sandboxed frame with an origin of
//! its own, without cookies, storage, or access to the host's page, and talks to it with `postMessage`: JSON-RPC 2.0. A page
//! begins with the request `ui/initialize`, and answers `ui/notifications/initialized` when it can take data. The host then
//! sends `ui/notifications/tool-input` and `ui/notifications/tool-result`.
//!
//! A page need not write these messages itself: the server puts a small client into it. The guide
//! [`view_pages`](super::view_pages) shows how. A page that does it by hand:
//!
//! - Register the handlers before `ui/initialize`, because the data follows at once.
//! - The host counts its requests from 0. Compare `id` with `undefined`.
//! - A page can call tools of the same server (`tools/call`), read its resources, send a message, and open a link, if the
//!   host allows it. It cannot navigate, submit a form, or open a window.
//!
//! # What a page can load
//!
//! Nothing, unless `csp(…)` names the origin. The page loads its own server's data with `tools/call` and `resources/read`,
//! which need no origin. Requests to a declared origin carry `Origin: null`, so that server must allow all origins. Draw
//! with inline SVG: some hosts also block `data:` URLs of images.
//!
//! **No policy stops WebRTC.** A script can open an `RTCPeerConnection` to any address, and browsers have no directive
//! against it. So the policy limits mistakes, and not a page that wants to send data away. Write or read every line of a
//! page, and load no scripts from other origins.
//!
//! # Tools for views
//!
//! `#[mcp_tool(visibility = "app")]` is a tool that only views call, for example to refresh a chart. Hosts do not show it to
//! the model. `visibility = "model"` is a tool that views cannot call. By default, both can.
//!
//! **A server cannot tell who called.** Hosts enforce the visibility; any client can call the tool. So the tool checks the
//! rights of its caller as any other: `scopes(…)`, and [`Ctx::principal`](crate::Ctx::principal). The page itself is the same
//! for every caller and needs no scopes: put no data of users into it.
//!
//! # Forms rendered by a view
//!
//! With the feature `views-preview`, a form can have a view. The protocol has not accepted this yet (SEP-3118), so the
//! feature can change in any version.
//!
#![cfg_attr(feature = "views-preview", doc = "```")]
#![cfg_attr(not(feature = "views-preview"), doc = "```ignore")]
//! use mcp_runtime::{Result, prelude::*};
//!
//! #[mcp_view("ui://flights/seats", html = "../macros/seats.html")]
//! struct SeatMap;
//!
//! #[elicits]
//! enum Booking {
//!     #[elicit(view = SeatMap)]
//!     PickSeat {
//!         seat: String,
//!     },
//! }
//!
//! /// Books a seat.
//! #[mcp_tool]
//! async fn book(ctx: &Ctx<Booking>) -> Result<String> {
//!     let seats = [("1A", "1A, window"), ("2C", "2C, aisle")];
//!     let picked = ctx.elicit::<PickSeat>("Which seat?").choices(PickSeat::SEAT, seats).strict().await?;
//!     Ok(format!("booked {}", picked.seat))
//! }
//!
//! let server = Server::new("flights", "1.0.0").tools(tools![book]);
//! # server.build().unwrap();
//! ```
//!
//! The tool is the same as without a view. A client that declares `elicitation` in the extension
//! `io.modelcontextprotocol/ui` gets the URI of the view with the question and shows the view. Every other client shows the
//! form. The answer has the same type and passes the same checks, and a call that is resumed or replayed does not care
//! which of them answered.
//!
//! The view gets the `message` and the `requestedSchema` of the question, and nothing else. It can read more from the
//! choices of the schema, or with `resources/read`. It answers with the fields of the form.
//!
//! # Tests
//!
//! `testing::Client::view` opens the view of a tool as a host does, and fails with everything that would stop a host.
//!
//! # Hosts
//!
//! Claude, ChatGPT, VS Code, Microsoft 365 Copilot, goose and others show views. Some declare the extension and some do not,
//! so a server shows its tools and its views to every client. A client without views ignores them.
