//! Asking a model: through the client, or through a provider of the server's own.
//!
//! A tool that writes, judges or decides in words needs a model. [`Ctx::sample`](crate::Ctx::sample) asks one, and the
//! author writes one line, whoever answers: the client, whose user has a model already; or a model that the server asks
//! itself. This page goes from one text to agents, and then says who answers and what happens when nobody does.
//!
//! # One text
//!
//! ```
//! use mcp_runtime::prelude::*;
//!
//! /// Summarizes a text.
//! #[mcp_tool(read_only, requires(sampling))]
//! async fn summarize(ctx: &Ctx, text: String) -> ToolResult<String> {
//!     let reply = ctx.sample(format!("Summarize this:\n\n{text}")).system("Be brief.").max_tokens(200).await?;
//!     Ok(reply.text)
//! }
//! # let _ = tools![summarize];
//! ```
//!
//! What is asked is a text, or a conversation with pictures and earlier replies: [`Messages`]. How it is asked say the
//! methods of [`Sample`]: temperature, stop sequences, which [model](ModelPreferences), how long to wait. The reply
//! ([`Sampled`]) has its text, all of its content, the model's name and why it stopped.
//!
//! `requires(sampling)` keeps the tool from clients that have no model, unless the server has one. A tool that can do
//! without says `optional(sampling)`, and takes the error or looks at [`Ctx::can_sample`](crate::Ctx::can_sample).
//!
//! # A value of a type
//!
//! [`schema`](Sample::schema) asks for a `T`: any type with `Deserialize` and `JsonSchema`. A model may still answer
//! otherwise, so what it gives is in `parsed`, a `Result`:
//!
//! ```
//! use mcp_runtime::prelude::*;
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Mood {
//!     /// From -1, angry, to 1, delighted.
//!     #[schemars(range(min = -1.0, max = 1.0))]
//!     score: f64,
//! }
//!
//! /// Tells how a text sounds, from -1 to 1.
//! #[mcp_tool(read_only, requires(sampling))]
//! async fn mood(ctx: &Ctx, text: String) -> ToolResult<String> {
//!     let reply = ctx.sample(format!("How does this sound? {text}")).schema::<Mood>().await?;
//!     Ok(match reply.parsed {
//!         Ok(mood) => mood.score.to_string(),
//!         Err(error) => format!("no idea ({error}); the model said: {}", error.raw_text),
//!     })
//! }
//! # let _ = tools![mood];
//! ```
//!
//! # A choice between tools
//!
//! [`SampleTools`](macro@crate::SampleTools) makes an enum a set of tools, and [`tools`](Sample::tools) offers them. They
//! are no tools of the server: nothing is run, the calls come back as variants, and the author does what they say.
//! [`tool_choice`](Sample::tool_choice) says whether there must be one. To tell the model what came of its calls, go on
//! with [`Messages::answered`], which takes the reply and a result for each of its calls, as models demand. What is known
//! only at run time is offered by [`tools_dyn`](Sample::tools_dyn). A reply has a schema or calls tools: an ask with both
//! does not compile.
//!
//! # Guaranteed
//!
//! [`sample_schema`](crate::Ctx::sample_schema) and [`sample_tools`](crate::Ctx::sample_tools) give what they say or an
//! error. What a model writes is held against the whole schema; where it does not fit, the model is shown its reply and
//! what is wrong with it, and asked again, [twice](Sample::retries) at most. After that there is
//! [`SampleValidation`], with the last reply. This is what most tools want:
//!
//! ```
//! use mcp_runtime::{prelude::*, sample::{Sampled, SamplingContent, SamplingFuture, SamplingProvider, SamplingRequest}};
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Move {
//!     /// The number of a free cell.
//!     #[schemars(range(min = 1, max = 9))]
//!     cell: u8,
//! }
//!
//! /// Asks the model for its move.
//! #[mcp_tool(requires(sampling))]
//! async fn next_move(ctx: &Ctx, board: String) -> ToolResult<String> {
//!     let chosen = ctx.sample_schema::<Move>(format!("Your move:\n{board}")).await?;
//!     Ok(format!("cell {}, in {} tries", chosen.parsed.cell, chosen.attempts))
//! }
//!
//! /// A model that learns from its mistake.
//! struct Player;
//!
//! impl SamplingProvider for Player {
//!     fn sample<'a>(&'a self, request: &'a SamplingRequest) -> SamplingFuture<'a> {
//!         let reply = match request.messages.len() {
//!             1 => "I take the tenth cell: {\"cell\": 10}",
//!             _ => "Oh. Then ```json\n{\"cell\": 5}\n```",
//!         };
//!         Box::pin(async move { Ok(Sampled::new(vec![SamplingContent::Text(reply.to_owned())], "player")) })
//!     }
//! }
//!
//! let server = Server::new("game", "1.0.0").sampling_provider(Player).tools(tools![next_move]);
//! # #[cfg(feature = "testing")]
//! # tokio_test(async {
//! use mcp_runtime::{Revision, testing::Client};
//!
//! // A client without a model of its own.
//! let mut client = Client::new(&server.build().unwrap(), Revision::V2025_11_25).without_sampling();
//! let played = client.call("next_move", serde_json::json!({ "board": "123456789" })).await;
//! assert_eq!(played.text(), "cell 5, in 2 tries");
//! # });
//! # #[cfg(feature = "testing")]
//! # fn tokio_test(test: impl Future) {
//! #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
//! # }
//! ```
//!
//! # Agents
//!
//! [`sample_loop`](crate::Ctx::sample_loop) lets the model call tools until it has an answer in words: each call is handed
//! to a closure, what that returns is told to the model, and in the [last turn](Sample::max_turns) it is to answer.
//! [`Ctx::branch`](crate::Ctx::branch) is a conversation beside the call's own, with its own history and its own
//! [limits](BranchLimits): how often, how many tokens, how long, how deep. It talks to models alone; asking the user there
//! does not compile.
//!
//! # Who answers
//!
//! [`Server::sampling_order`](crate::Server::sampling_order) decides, for each ask:
//!
//! | order | asked first | otherwise |
//! | --- | --- | --- |
//! | [`ClientFirst`](SamplingOrder::ClientFirst) (default) | the client, if it declared `sampling` | the [provider](crate::Server::sampling_provider) |
//! | [`ProviderFirst`](SamplingOrder::ProviderFirst) | the provider | the client, if it declared `sampling` |
//! | [`ProviderOnly`](SamplingOrder::ProviderOnly) | the provider | nobody |
//!
//! Where there is nobody, the ask fails at once with [`AskError::Capability`](crate::AskError::Capability); a tool that
//! `requires(sampling)` is not listed in sessions of such clients, and since 2026-07-28 its call is refused with -32021.
//! With a provider every client can call it.
//!
//! Since 2026-07-28 each ask through a client is a round, and clients give up after about ten. So a
//! [loop](crate::Ctx::sample_loop), and an ask when [no round is left](crate::Ctx::rounds_left), prefer the provider there.
//!
//! Ready-made providers are in the module `providers` (feature `providers`): OpenAI, Anthropic, Ollama, and what is
//! compatible. One of your own is an implementation of [`SamplingProvider`].
//!
//! # What is asked of whom
//!
//! The same ask takes the best form that whoever answers can do ([`ProviderAbilities`]; of a client, whether it declared
//! `sampling.tools`). The guarantees are the same on every line:
//!
//! | can | a schema | tools |
//! | --- | --- | --- |
//! | schemas | by the schema | where one must be called: by a schema of all calls; otherwise in words |
//! | tools | by one tool that must be called | natively |
//! | schemas and tools | by the schema | natively |
//! | neither | in words: JSON alone, of this schema | in words: `{"tool": …, "input": …}` |
//!
//! Clients are never asked by a schema: the protocol has none. What is described in words stands at the end of the last
//! message of the user, for clients may leave a system prompt out. In a reply the JSON is found between words, in fences,
//! and after a model's thoughts; other names, such as `arguments` for `input`, are understood.
//!
//! # When there is no reply
//!
//! | | in a session, before 2026-07-28 | since 2026-07-28 | of a provider |
//! | --- | --- | --- | --- |
//! | the user says no | [`Refused`](crate::AskError::Refused), code -1 | cannot be told: the client comes back without a reply, or not at all | – |
//! | no reply | [`Timeout`](crate::AskError::Timeout), while the client is there | the third time in a row [`Unanswered`](crate::AskError::Unanswered), unless a provider has an answer; a client that never comes back leaves the call to expire | `Timeout` |
//! | a reply that comes late | not taken | `Timeout`, judged when it comes | not taken |
//! | a failure | `Refused` with its code and words | the client's own: the call ends there | [`Provider`](crate::AskError::Provider), with a short sentence; the rest is in the server's log |
//! | a reply that is none | [`Invalid`](crate::AskError::Invalid) | `Invalid` | – |
//!
//! [`Sample::timeout`] is for each reply; ten minutes unless told otherwise, for a person may look at what is asked and
//! at what is answered. A call that is cancelled drops the ask, and a provider's request with it.
//!
//! All of these are errors like any other: a tool returns them with `?`, or does without. A summary, say, is no reason to
//! lose a booking (`examples/flights`). Where the reply decides what takes effect, remember who wrote it: a model, which
//! may have read what somebody else wrote for it.
//!
//! # Rounds and repeats
//!
//! Each ask has a key: `sample`, the next `sample#2`, or [what you call it](Sample::key). Another try of a guaranteed
//! ask is `sample/2`, another turn of a loop `sample_loop/2`; what a branch asks begins with its name: `branch/sample`. Since
//! 2026-07-28 these are the keys on the wire.
//!
//! Every answer is written into the call's journal, a provider's too, and so is that a provider failed. A call that is
//! rebuilt, since its process ended or another instance goes on with it ([`surviving`](crate::surviving)), is given the
//! same answers again: no model is asked twice, and nothing is paid for twice, once an answer is in a state that the
//! client has. What your code does *between* its asks is run again; what must happen once stands in
//! [`ctx.step`](crate::Ctx::step), or in `after` of a [handoff](macro@crate::handoff). A question must come out the same:
//! no clock and no random number but [`ctx.now`](crate::Ctx::now) and [`ctx.random`](crate::Ctx::random) in it.
//!
//! # Deprecated, and what that means
//!
//! The revision 2026-07-28 deprecates sampling through clients; one that is released on 2027-07-28 or later may drop it.
//! For an author it means nothing: the tool stays as it is. For an operator it means to name a provider in time, and the
//! server says so once in its log when a client of that revision is asked. Sessions of earlier revisions keep it.
//!
//! # At the terminal, and in tests
//!
//! `call` on the [command line](crate::Server::run) asks the provider; where there is none, whoever is at the terminal reads
//! what a model would and replies in its place. The scripted client of the module `testing` answers with
//! `.sampled(…)`, `.sampled_value(…)` and `.sampled_tool(…)`, in every mode alike.

mod agent_loop;
mod asking;
mod branch;
mod branch_state;
mod builder;
mod deprecation;
mod error;
mod expected;
mod find;
mod guaranteed;
mod messages;
mod mode;
mod offer;
mod provider;
mod reply;
mod request;
pub(crate) mod sampling;
mod state;
mod strategy;
#[cfg(test)]
mod tests;
mod tool_result;
mod tools;
pub(crate) mod variant;

#[doc(hidden)]
pub use self::builder::Setup;
#[cfg(feature = "cli")]
pub(crate) use self::deprecation::not_here as no_client_is_deprecated;
#[cfg(feature = "testing")]
pub(crate) use self::expected::ANSWER;
pub use self::{
    agent_loop::SampledLoop,
    branch::{Branch, BranchLimits, ElicitsInBranch},
    builder::Sample,
    error::{SampleError, SampleValidation},
    expected::SampleValue,
    messages::{IntoBlocks, Messages, MessagesError},
    mode::{AsLoop, AsSchema, AsText, AsTools, Callable, Mode, SampleFuture, SureSchema, SureTools},
    provider::{ProviderAbilities, ProviderError, SamplingFuture, SamplingOrder, SamplingProvider},
    reply::{GuaranteedSchema, GuaranteedTools, ParseError, SampledSchema, SampledTools, ToolCall},
    state::{Guaranteed, OffersTools, TakesTurns, Unshaped},
    tools::SampleTools,
};
pub use crate::call::limits::BranchLimit;
pub use crate::protocol::sampling::{
    ModelPreferences, ResponseSchema, Role, Sampled, SamplingContent, SamplingMessage, SamplingRequest, SamplingTool,
    StopReason, TokenUsage, ToolChoice, ToolResult, ToolUse,
};
