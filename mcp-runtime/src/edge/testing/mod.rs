//! A scripted client in memory, for unit tests of tools, prompts and resources (feature `testing`).
//!
//! A test calls a tool as a client would, and defines in advance what the user answers. The client speaks any revision
//! of the protocol, so one test shows that a tool works in all of them:
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! use mcp_runtime::{Result, Revision, prelude::*, testing::Client};
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
//! async fn book(ctx: &Ctx<Booking>, to: String) -> Result<String> {
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
//! # }
//! ```
//!
//! # The script
//!
//! Give the answers in the order of the questions. If the order does not matter, give the answer to a key with
//! [`reply_to`](ScriptedCall::reply_to). The test panics if a question has no answer, if an answer has no question or
//! is for another form, or if the call does not end. The panic points at the test's `.await`, and shows every message
//! of the call.
//!
//! # Models
//!
//! A tool that [samples](crate::Ctx::sample) asks the client's model. The script defines the reply, but not its format.
//! A tool call is native if the client supports sampling tools, and JSON in a text otherwise. So one script works in
//! every revision.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! use mcp_runtime::{Result, Revision, prelude::*, testing::{Client, Reply}};
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
//! async fn ask(ctx: &Ctx, question: String) -> Result<String> {
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
//! let mut client = Client::modern(&service).without_sampling();
//! assert_eq!(client.call("ask", json!({ "question": "How big?" })).await.error().unwrap().code, -32021);
//! # }
//! ```
//!
//! [`Reply::sampled_as`] defines a whole reply. With [`Reply::silence`], there is no reply.
//! [`Client::without_sampling_tools`] and [`Client::without_sampling`] remove capabilities. If the server has a
//! provider, the script does not answer the questions. Give the server a scripted provider instead.
//!
//! # Prompts and completions
//!
//! [`Client::prompt`] gets a prompt. It takes the same script as a call of a tool, because a prompt can ask questions
//! too. [`Client::complete`] completes an argument of a prompt. [`Client::complete_template`] completes a variable of a
//! template.
//!
//! # Resources
//!
//! [`Client::read`] reads a resource, which can ask questions too. [`Client::resources`] lists the resources, and
//! [`Client::templates`] lists the templates.
//!
//! [`Client::view`] opens the view of a tool as a host does, and checks what hosts need.
//!
//! [`Client::subscribed`] subscribes to changes of lists and of resources, and [`Client::notice`] waits for the next
//! notice of a change.
//!
//! # Outcomes
//!
//! An [`Outcome`] contains the result, the questions, the log messages, the progress and the [`Transcript`]. A failed
//! call is an outcome too. To recognize it, use [`Outcome::is_error`], or compare its text. A prompt that fails has no
//! result. It has an [error](Outcome::error) instead.
//!
//! # In every mode
//!
//! The same call can reach a server in many ways. The call can run in a session or in rounds. Between rounds, the
//! server can restart, or the instance can change. Replies can get lost, and requests can be repeated.
//! [`in_every_mode!`](macro@crate::in_every_mode) runs one test in all these ways, and compares the questions, the
//! results, and how many times each effect runs. [`Fault`] selects one fault.
//!
//! # Replay safety
//!
//! A call that is replayed runs its code again and must ask the same questions. Check this with
//! [`assert_replay_safe`](ScriptedCall::assert_replay_safe).
//!
//! # Ledgers of your own
//!
//! [`ledger_contract`] checks that a [`Ledger`](crate::store::Ledger) behaves as the runtime requires.

mod client;
mod compare;
mod connection;
mod modes;
mod observed;
mod script;

pub use crate::engine::durable::ledger::contract::ledger_contract;
pub use crate::engine::runs::contract::run_store_contract;
#[doc(no_inline)]
pub use crate::in_every_mode;
pub use crate::serve::client::{Log, ProtocolError, Question, Report};

pub use self::{
    client::{
        Client,
        scripted::{ScriptedCompletion, call::ScriptedCall},
    },
    connection::fault::Fault,
    modes::mode::{EveryMode, Mode, in_every_mode},
    observed::{
        notice::Notice,
        outcome::{CompletedValues, Outcome, ReceivedContents, ReceivedMessage},
        shown_view::ShownView,
        transcript::Transcript,
    },
    script::reply::Reply,
};
