//! A scripted client in memory, for unit tests of tools (feature `testing`).
//!
//! A test calls a tool as a client would, and writes down beforehand what its user answers. The client speaks any
//! revision of the protocol, so one test shows that a tool works in all of them:
//!
//! ```
//! # tokio_test(async {
//! use mcp_runtime::{Revision, prelude::*, testing::Client};
//! use serde_json::json;
//!
//! #[elicits]
//! enum Booking {
//!     PickFlight { flight: String, seat: Seat },
//!     Confirm { confirmed: bool },
//! }
//!
//! #[derive(Choice)]
//! enum Seat {
//!     Window,
//!     Aisle,
//! }
//!
//! /// Books a flight.
//! #[mcp_tool]
//! async fn book(ctx: &Ctx<Booking>, to: String) -> ToolResult<String> {
//!     let pick = ctx.elicit::<PickFlight>(format!("Which flight to {to}?")).strict().await?;
//!     ctx.log(Level::Info, "picked");
//!     match ctx.elicit::<Confirm>("Book it?").await? {
//!         Elicited::Accept(Confirm { confirmed: true }) => Ok(format!("booked {}", pick.flight)),
//!         _ => Ok("not booked".to_owned()),
//!     }
//! }
//!
//! let service = Server::new("flights", "1.0.0").tools(tools![book]).build().unwrap();
//! for revision in [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28] {
//!     let mut client = Client::new(&service, revision);
//!     let booked = client
//!         .call("book", json!({ "to": "LIS" }))
//!         .accept(PickFlight { flight: "TP1".into(), seat: Seat::Window })
//!         .accept(Confirm { confirmed: true })
//!         .await;
//!     assert_eq!(booked.text(), "booked TP1");
//!     assert_eq!(booked.asked()[0].message(), "Which flight to LIS?");
//!     assert_eq!(booked.logs()[0].data, "picked");
//!
//!     let declined = client.call("book", json!({ "to": "LIS" })).decline().await;
//!     assert!(declined.is_error());
//!     assert_eq!(declined.text(), "the user declined");
//! }
//! # });
//! # fn tokio_test(test: impl Future) {
//! #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
//! # }
//! ```
//!
//! # The script
//!
//! Answers are given in the order the questions come, or by the key of a question with
//! [`reply_to`](ScriptedCall::reply_to) where the order is not the test's business. The script must fit: a question
//! without an answer, an answer without a question, a form that is not the one asked for, and a call that does not end
//! are panics at the line of the test's `.await`, with every message of the call in their text.
//!
//! # Models
//!
//! A tool that [samples](crate::Ctx::sample) asks the client's model. The script says what the model gives, and not how
//! that is written: a call of a tool is one where the client has tools for its model, and JSON in words where it has not.
//! So one script is right in every revision.
//!
//! ```
//! # tokio_test(async {
//! use mcp_runtime::{Revision, prelude::*, testing::{Client, Reply}};
//! use serde_json::json;
//!
//! #[derive(SampleTools)]
//! enum Lookup {
//!     /// Finds the population of a city.
//!     Population { city: String },
//! }
//!
//! /// Answers a question about a city.
//! #[mcp_tool(requires(sampling))]
//! async fn ask(ctx: &Ctx, question: String) -> ToolResult<String> {
//!     let Lookup::Population { city } = ctx.sample_tools(question).await?.into_first();
//!     Ok(ctx.sample(format!("{city} has 545,000 people. Say so.")).max_tokens(50).await?.text)
//! }
//!
//! let service = Server::new("cities", "1.0.0").tools(tools![ask]).build().unwrap();
//! for revision in [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28] {
//!     let mut client = Client::new(&service, revision);
//!     let answer = client
//!         .call("ask", json!({ "question": "How big is Lisbon?" }))
//!         .sampled("I will look it up.")
//!         .sampled_tool("population", json!({ "city": "Lisbon" }))
//!         .sampled("545,000 people live there.")
//!         .await;
//!     assert_eq!(answer.text(), "545,000 people live there.");
//!     assert!(answer.asked()[0].message().starts_with("How big is Lisbon?"));
//!     assert!(answer.asked()[1].message().contains("calls no tool"));
//!     assert_eq!(answer.asked()[2].params()["maxTokens"], 50);
//! }
//!
//! let mut nobody = Client::modern(&service).without_sampling();
//! assert_eq!(nobody.call("ask", json!({ "question": "How big?" })).await.error().unwrap().code, -32021);
//! # });
//! # fn tokio_test(test: impl Future) {
//! #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
//! # }
//! ```
//!
//! [`Reply::sampled_as`] gives a whole reply, [`Reply::silence`] none; [`Client::without_sampling_tools`] and
//! [`Client::without_sampling`] are clients that can do less. What a provider of the server answers is not the script's:
//! give the server one that follows a script of its own.
//!
//! # What comes out
//!
//! [`Outcome`]: the result, what was asked, the log messages, the reports of progress, and the [`Transcript`]. A failed
//! call is an outcome like any other: look at [`Outcome::is_error`], or compare its text.
//!
//! # In every mode
//!
//! The same call comes to a server in many ways: in a session, in rounds, with a restart between them or on another
//! instance, with replies lost and requests repeated. [`in_every_mode!`](macro@crate::in_every_mode) runs one test in
//! all of them, and compares what is asked, what comes out, and how often what must happen once does. [`Trouble`] is for
//! a look at one of them.
//!
//! # Safe to be run again
//!
//! A call that is rebuilt runs its conversation again, and must ask the same. Whether it does shows in one line:
//! [`assert_replay_safe`](ScriptedCall::assert_replay_safe).
//!
//! # Ledgers of your own
//!
//! [`ledger_contract`] holds a [`Ledger`](crate::Ledger) against what the runtime expects of it.

mod call_driver;
mod cancel;
mod client;
mod compare;
mod connection;
mod difference;
mod fault;
mod limit;
mod mode;
mod mode_comparison;
mod modes;
mod outcome;
mod question;
mod reply;
mod sampled;
mod script;
mod scripted;
mod slow_ledger;
mod transcript;
mod transport;

pub use crate::durable::ledger::contract::ledger_contract;
#[doc(no_inline)]
pub use crate::in_every_mode;

pub use self::{
    client::Client,
    fault::Trouble,
    mode::{EveryMode, Mode, in_every_mode},
    outcome::{Log, Outcome, ProtocolError, Report},
    question::Question,
    reply::Reply,
    scripted::ScriptedCall,
    transcript::Transcript,
};
