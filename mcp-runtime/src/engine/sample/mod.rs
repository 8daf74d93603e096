//! Sampling: asks a model, through the client or through a provider of the server.
//!
//! A tool that writes, judges or decides in words needs a model. [`Ctx::sample`](crate::Ctx::sample) asks one in a
//! single line: the model of the client, or a model that the server calls itself. This page starts with plain text,
//! continues with agents, and then describes whether the client or the server's model answers, and how a request fails.
//!
//! # Text
//!
//! ```
//! use mcp_runtime::{Result, prelude::*};
//!
//! /// Summarizes a text.
//! #[mcp_tool(read_only, requires(sampling))]
//! async fn summarize(ctx: &Ctx, text: String) -> Result<String> {
//!     let reply = ctx.sample(format!("Summarize this:\n\n{text}")).system("Be brief.").max_tokens(200).await?;
//!     Ok(reply.text)
//! }
//! # let _ = tools![summarize];
//! ```
//!
//! The prompt is a text, or a conversation with images and earlier replies: [`Messages`]. The methods of [`Sample`] set
//! temperature, stop sequences, the preferred [model](ModelPreferences) and the timeout. The reply ([`Sampled`]) has
//! its text, all of its content, the model's name and the stop reason.
//!
//! `requires(sampling)` hides the tool from clients without a model, unless the server has a provider. A tool that
//! works without a model declares `optional(sampling)`, and handles the error or checks
//! [`Ctx::can_sample`](crate::Ctx::can_sample).
//!
//! # Typed values
//!
//! [`schema`](Sample::schema) asks for a `T`: any type with `Deserialize` and `JsonSchema`. A model can still answer
//! something else, so the field `parsed` of the reply is a `Result`:
//!
//! ```
//! use mcp_runtime::{Result, prelude::*};
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Mood {
//!     /// From -1, angry, to 1, delighted.
//!     #[schemars(range(min = -1.0, max = 1.0))]
//!     score: f64,
//! }
//!
//! /// Rates how a text sounds, from -1 to 1.
//! #[mcp_tool(read_only, requires(sampling))]
//! async fn mood(ctx: &Ctx, text: String) -> Result<String> {
//!     let reply = ctx.sample(format!("How does this sound? {text}")).schema::<Mood>().await?;
//!     Ok(match reply.parsed {
//!         Ok(mood) => mood.score.to_string(),
//!         Err(error) => format!("unknown ({error}); the model wrote: {}", error.raw_text),
//!     })
//! }
//! # let _ = tools![mood];
//! ```
//!
//! # Choices between tools
//!
//! [`SampleTools`](macro@crate::SampleTools) turns an enum into a set of tools, and [`tools`](Sample::tools) offers
//! them to the model. They are not tools of the server: the runtime does not run them. It returns the model's calls as
//! variants of the enum, and the author handles these. [`tool_choice`](Sample::tool_choice) sets whether there must be
//! a call. To send the results back to the model, use [`Messages::answered`]. This method takes the reply and a result
//! for each of its calls, as models require. For tools that are known only at run time, see
//! [`tools_dyn`](Sample::tools_dyn). A request can have a schema or tools. A request with both does not compile.
//!
//! # Guaranteed replies
//!
//! [`sample_schema`](crate::Ctx::sample_schema) and [`sample_tools`](crate::Ctx::sample_tools) return a valid value or
//! an error. The runtime checks each reply against the whole schema. After an invalid reply, the model gets that reply
//! and the error, and is asked again, [twice](Sample::retries) at most. If no reply is valid, the error is
//! [`SampleValidation`], with the last reply. Most tools should use these methods:
//!
//! ```
//! use mcp_runtime::{
//!     Result,
//!     prelude::*,
//!     sample::{Sampled, SamplingContent, SamplingFuture, SamplingProvider, SamplingRequest},
//! };
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
//! async fn next_move(ctx: &Ctx, board: String) -> Result<String> {
//!     let chosen = ctx.sample_schema::<Move>(format!("Your move:\n{board}")).await?;
//!     Ok(format!("cell {}, in {} tries", chosen.parsed.cell, chosen.attempts))
//! }
//!
//! /// A model that corrects its mistake.
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
//! // A client without a model.
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
//! [`sample_loop`](crate::Ctx::sample_loop) lets the model call tools until it answers in words. A closure handles each
//! call, and the model gets the closure's output. In the [last turn](Sample::max_turns) the model must answer.
//! [`Ctx::branch`](crate::Ctx::branch) is a conversation separate from the call's main conversation, with its own
//! history and [limits](BranchLimits): requests, tokens, time, depth. A branch can ask models only. Asking the user
//! there does not compile.
//!
//! # Client or provider
//!
//! [`Server::sampling_order`](crate::Server::sampling_order) decides which side is asked:
//!
//! | order | first | otherwise |
//! | --- | --- | --- |
//! | [`ClientFirst`](SamplingOrder::ClientFirst) (default) | the client, if it declared `sampling` | the [provider](crate::Server::sampling_provider) |
//! | [`ProviderFirst`](SamplingOrder::ProviderFirst) | the provider | the client, if it declared `sampling` |
//! | [`ProviderOnly`](SamplingOrder::ProviderOnly) | the provider | – |
//!
//! If the client cannot sample and there is no provider, the request fails at once with
//! [`AskError::Capability`](crate::AskError::Capability). A tool that `requires(sampling)` is not listed in sessions of
//! such clients, and since 2026-07-28 its call is rejected with -32021. With a provider every client can call it.
//!
//! Since 2026-07-28 each request through a client is a round, and clients stop after about ten rounds. So in that
//! revision, the provider is preferred for a [loop](crate::Ctx::sample_loop), and for any request when [no round is
//! left](crate::Ctx::rounds_left).
//!
//! The module `providers` (feature `providers`) has ready-made providers: OpenAI, Anthropic, Ollama, and compatible
//! servers. For another model implement [`SamplingProvider`].
//!
//! # How schemas and tools are requested
//!
//! Each request uses the best form that the model supports. A provider declares its [`ProviderAbilities`]. A client
//! supports tools if it declared `sampling.tools`. The guarantees are the same in every row:
//!
//! | supports | a schema | tools |
//! | --- | --- | --- |
//! | schemas | with the schema | if a call is required: with a schema of all calls; otherwise in the prompt |
//! | tools | with one tool that must be called | natively |
//! | schemas and tools | with the schema | natively |
//! | neither | in the prompt: JSON only, with this schema | in the prompt: `{"tool": …, "input": …}` |
//!
//! Clients never get a schema, because the protocol has no field for it. Descriptions in the prompt are appended to the
//! last message of the user, because clients can ignore a system prompt. The runtime finds JSON in the reply between
//! words, in code fences and after a model's thoughts. It also accepts other member names, such as `arguments` for
//! `input`.
//!
//! # Failures
//!
//! | | in a session, before 2026-07-28 | since 2026-07-28 | from a provider |
//! | --- | --- | --- | --- |
//! | the user refuses | [`Refused`](crate::AskError::Refused), code -1 | cannot be reported: the client comes back without a reply, or not at all | – |
//! | no reply | [`Timeout`](crate::AskError::Timeout), while the client is connected | [`Unanswered`](crate::AskError::Unanswered) the third time in a row, unless a provider answers; if the client never comes back, the call expires | `Timeout` |
//! | a late reply | ignored | `Timeout`, when it arrives | ignored |
//! | an error | `Refused` with its code and message | handled by the client: the call ends there | [`Provider`](crate::AskError::Provider), with a short sentence; the details are in the server's log |
//! | a malformed reply | [`Invalid`](crate::AskError::Invalid) | `Invalid` | – |
//!
//! [`Sample::timeout`] applies to each reply. The default is ten minutes, because the user may review the request and
//! the reply. When a call is cancelled, the request is dropped, including a provider's HTTP request.
//!
//! All of these are ordinary errors: a tool returns them with `?` or continues without a reply. A booking, for example,
//! should not fail because a summary is missing (`examples/flights`). If the reply decides about side effects, do not
//! trust it: the model may have read text from an attacker.
//!
//! # Keys and replay
//!
//! Each request has a key: `sample`, then `sample#2`, or [a key that you set](Sample::key). The second attempt of a
//! guaranteed reply has the key `sample/2`, and the second turn of a loop has `sample_loop/2`. Keys in a branch start
//! with the branch's name: `branch/sample`. Since 2026-07-28 these are the keys on the wire.
//!
//! The call's journal records every answer and every failure of a provider. When a call is rebuilt because its process
//! ended or another instance continues it ([`surviving`](crate::guide::surviving)), the recorded answers are replayed. Once
//! the client has a state that contains an answer, no model is asked for that answer again, so it is not paid for
//! twice. Your code *between* the requests runs again; put effects that must not be repeated into
//! [`ctx.step`](crate::Ctx::step) or into `after` of a [handoff](macro@crate::handoff). A replayed request must be
//! identical to the original request. If it contains times or random numbers, take them only from
//! [`ctx.now`](crate::Ctx::now) and [`ctx.random`](crate::Ctx::random).
//!
//! # Deprecation
//!
//! The revision 2026-07-28 deprecates sampling through clients. A revision released on 2027-07-28 or later may remove
//! it. Authors do not have to change their tools. Operators should configure a provider before the removal. The server
//! logs a warning once when it asks a client of that revision. Sessions of earlier revisions keep sampling.
//!
//! # Command line and tests
//!
//! `call` on the [command line](crate::Server::run) asks the provider; without one, it shows the prompt at the terminal
//! and reads the reply from there. The scripted client of the module `testing` answers with `.sampled(…)`,
//! `.sampled_value(…)` and `.sampled_tool(…)`, the same in every mode.

mod agent_loop;
mod asking;
mod branch;
mod branch_state;
mod builder;
mod expected;
mod find;
mod messages;
mod mode;
mod offer;
pub(crate) mod provider;
mod reply;
mod request;
mod retry;
mod setup;
mod strategy;
#[cfg(test)]
mod tests;
pub(crate) mod tools;

#[doc(hidden)]
pub use self::setup::Setup;
pub use self::{
    agent_loop::SampledLoop,
    branch::{Branch, ElicitsInBranch},
    branch_state::BranchLimits,
    builder::Sample,
    expected::SampleValue,
    messages::{IntoBlocks, Messages, MessagesError},
    mode::{
        AsLoop, AsSchema, AsText, AsTools, AskMode, Callable, Guaranteed, GuaranteedSchemaFuture,
        GuaranteedToolsFuture, OffersTools, SampleFuture, TakesTurns, Unshaped,
    },
    provider::{ProviderAbilities, ProviderError, SamplingFuture, SamplingOrder, SamplingProvider},
    reply::{
        GuaranteedSchema, GuaranteedTools, ParseError, SampleError, SampleValidation, SampledSchema, SampledTools,
        ToolCall,
    },
    tools::SampleTools,
};
pub(crate) use self::{asking::no_client_is_deprecated, expected::ANSWER};
pub use crate::engine::call::ask_error::BranchLimit;
pub use crate::wire::protocol::sampling::{
    ModelPreferences, ResponseSchema, Role, Sampled, SamplingContent, SamplingMessage, SamplingRequest, SamplingTool,
    StopReason, TokenUsage, ToolChoice, ToolResult, ToolUse,
};
