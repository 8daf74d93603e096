//! A scripted client in memory, for unit tests of tools (feature `testing`).
//!
//! A test calls a tool as a client would, and writes down beforehand what its user answers. The client speaks any
//! revision of the protocol, so one test shows that a tool works in all of them:
//!
//! ```
//! # tokio_test(async {
//! use mcp_runtime::{Result, Revision, prelude::*, testing::Client};
//! use serde_json::json;
//!
//! /// Counts the folders that are open.
//! #[mcp_tool(read_only, requires(roots))]
//! async fn count_folders(ctx: &Ctx, greeting: String) -> Result<String> {
//!     let roots = ctx.roots().await?;
//!     ctx.log(Level::Debug, "counted");
//!     Ok(format!("{greeting}, {} open", roots.len()))
//! }
//!
//! let service = Server::new("folders", "1.0.0").tools(tools![count_folders]).build().unwrap();
//! for revision in Revision::ALL {
//!     let counted = Client::new(&service, revision)
//!         .call("count_folders", json!({ "greeting": "hello" }))
//!         .roots(["file:///a", "file:///b"])
//!         .await;
//!     assert_eq!(counted.text(), "hello, 2 open");
//!     assert_eq!(counted.logs()[0].data, "counted");
//!     assert_eq!(counted.asked()[0].key(), "roots");
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
//! # What comes out
//!
//! [`Outcome`]: the result, what was asked, the log messages, the reports of progress, and the [`Transcript`]. A failed
//! call is an outcome like any other: look at [`Outcome::is_error`], or compare its text.

mod client;
mod connection;
mod course;
mod limit;
mod outcome;
mod question;
mod reply;
mod script;
mod transcript;

pub use self::{
    client::{Client, ScriptedCall},
    outcome::{Log, Outcome, ProtocolError, Report},
    question::Question,
    reply::Reply,
    transcript::Transcript,
};
