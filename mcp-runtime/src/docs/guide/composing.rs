//! Composing: a tool calls tools.
//!
//! A tool calls another tool of its server with [`Ctx::call_tool`](crate::Ctx::call_tool). The arguments and the output are
//! checked at compile time, because each tool has a function `with`, which takes what its function takes by value. What
//! the called tool asks, logs and reports reaches the client of the calling tool, in every revision of the protocol.
//!
//! ```
//! use mcp_runtime::{Result, prelude::*};
//! # use serde_json::json;
//!
//! #[elicits]
//! enum Trip {
//!     Confirm { confirmed: bool },
//! }
//!
//! struct Book;
//!
//! /// Books a seat or a room, if the user confirms it.
//! #[handoff]
//! impl Book {
//!     async fn before(&self, what: String, nights: Option<u32>) -> u32 {
//!         // Holds it, and looks up the price.
//!         what.len() as u32 * nights.unwrap_or(1)
//!     }
//!
//!     async fn client(ctx: &Ctx<Trip>, price: &u32) -> Result<bool> {
//!         Ok(ctx.elicit::<Confirm>(format!("Book it for {price}?")).strict().await?.confirmed)
//!     }
//!
//!     async fn after(&self, price: u32, confirmed: bool) -> Result<Text<u32>> {
//!         if confirmed { Ok(Text(price)) } else { Err("not wanted".into()) }
//!     }
//! }
//!
//! /// Plans a trip: a seat, and a room for two nights.
//! #[mcp_tool(replayable)]
//! async fn plan_trip(ctx: &Ctx<Trip>) -> Result<String> {
//!     let seat = ctx.call_tool(Book::with("seat", None)).await?;
//!     let room = ctx.call_tool(Book::with("room", 2)).await?;
//!     Ok(format!("booked for {}", seat + room))
//! }
//! # #[cfg(feature = "testing")]
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! # use mcp_runtime::{Revision, testing::Client};
//! let service = Server::new("trips", "1.0.0").tool(Book).tools(tools![plan_trip]).build().unwrap();
//! # let mut client = Client::new(&service, Revision::LATEST).capabilities(json!({ "elicitation": {} }));
//! # let planned = client.call("plan_trip", ()).accept(Confirm { confirmed: true }).accept(Confirm { confirmed: true }).await;
//! # assert_eq!(planned.text(), "booked for 12");
//! # assert_eq!(planned.asked()[1].key(), "book#2/confirm");
//! # });
//! ```
//!
//! # What runs once
//!
//! A called tool has no record of its own in the ledger: it is a part of the call of its caller. If that call is rebuilt in a
//! later round, maybe by another instance, the caller runs again from its start, and gets what was recorded:
//!
//! | called tool | what is recorded | if the process dies in it |
//! | --- | --- | --- |
//! | a [`handoff`](macro@crate::handoff) | `before`, the answers, and `after`, each as a [step](crate::Ctx::step) | the phase that had begun does not run again: [`StepError::UnknownOutcome`](crate::call::StepError) |
//! | `replayable`, and asks | the answers and its own steps | it runs again, up to where it was |
//! | does not ask | its result, as one step | it does not run again: `UnknownOutcome` |
//! | does not ask, and is `read_only` or `idempotent` | nothing: it runs again with its caller | it runs again |
//! | asks, and is neither | nothing | a caller that is `replayable` cannot call it |
//!
//! A tool that can ask says so: with forms, `requires(…)` or `optional(…)`. One that does not, and asks nevertheless, gets an
//! error when another tool calls it, because a step cannot ask.
//!
//! Errors are recorded like results. A caller that drops a call, for example with `select!` or a timeout, withdraws its
//! questions. A phase or a step that has begun runs to its end, and is recorded.
//!
//! No step begins while a question is open. So of two handoffs in a `join!`, the second one begins when the first one has
//! its answers. Questions of `replayable` tools leave together.
//!
//! # What the client sees
//!
//! One call. The keys of the questions begin with the name of the called tool: `book/confirm`, then `book#2/confirm`. Log
//! messages have its name as their logger.
//!
//! The values of [`Ctx::progress`](crate::Ctx::progress) are those of the outermost tool that reports progress. If the
//! calling tool has reported a value, only the messages of the called tool are sent, with that value. The protocol demands
//! that each value is larger than the last, so it grows by a part of a billion with each message. If the calling tool has
//! reported nothing, the values of the called tool are sent as they are.
//!
//! In [telemetry](crate::guide::observing) a called tool has a span inside the span of its caller, and a duration with the
//! label `nested`.
//!
//! # What is checked
//!
//! A called tool is checked as if the client had called it: the scopes of the principal, the capabilities of the client, the
//! arguments. The [layers](crate::layer) run around it, and its `timeout` holds. At most eight calls can be inside of each
//! other.
//!
//! A tool can pass on the questions of its own set of forms. For a tool with other forms, it writes
//! [`asks_apart`](crate::call::PreparedCall::asks_apart): then the called tool can fail with
//! [`AskError::Capability`](crate::AskError::Capability), because clients were not told that the calling tool shows forms.
//!
//! A tool whose name is known only at run time is called with [`Ctx::call`](crate::Ctx::call).
//!
//! # Tools of other servers
//!
//! A tool calls tools of other servers with [`Remote`](../../remote/struct.Remote.html) (feature `remote`), by the same rules: their
//! questions are those of the call, and what they have done is recorded. To offer all tools of a server, see
//! `gathering`.
