//! `#[mcp_prompt]` and `prompts![…]`.

/// Turns an `async fn` into a prompt: messages that a user inserts into a conversation.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// #[derive(Choice)]
/// enum Depth {
///     Quick,
///     Thorough,
/// }
///
/// /// Asks for a review of some code.
/// #[mcp_prompt(title = "Code review")]
/// async fn review(
///     /// The code to review.
///     code: String,
///     /// How closely to look. Default: `quick`.
///     depth: Option<Depth>,
/// ) -> Vec<PromptMessage> {
///     let task = match depth.unwrap_or(Depth::Quick) {
///         Depth::Quick => "Name the worst problem of this code.",
///         Depth::Thorough => "Review this code line by line.",
///     };
///     vec![PromptMessage::user(task), PromptMessage::user(code)]
/// }
///
/// let server = Server::new("reviews", "1.0.0").prompts(prompts![review]);
/// # server.build().unwrap();
/// ```
///
/// # Parameters
///
/// A parameter by value is an argument. Clients send arguments as text, so the parameter's type must be
/// [`FromText`](crate::complete::FromText): text, a number, `bool`, or an enum with [`#[derive(Choice)]`](macro@crate::Choice).
/// An `Option` of one of these makes the argument optional. The doc comment of the parameter is the description of the
/// argument. Further attributes of an argument:
///
/// | attribute | meaning |
/// | --- | --- |
/// | `#[complete(function)]` | completes the value with this function, which gets shared state by reference and then a [`CompletionRequest`](crate::complete::CompletionRequest) |
/// | `#[arg(name = "…")]` | another name on the wire |
/// | `#[arg(title = "…")]` | the name shown to users (since 2025-06-18) |
///
/// Clients can complete the values of `bool` and of an enum without `#[complete]`. If arguments are invalid, the client
/// gets one error with all problems.
///
/// Parameters by reference are the same as for [tools](crate::mcp_tool): the context (`&Ctx`, `&Ctx<Forms>`) and shared
/// state. In every revision, a prompt can ask its user and a model (sampling), as a tool can.
///
/// # Output
///
/// See [`PromptOutput`](crate::prompt::PromptOutput). An error of the function is a JSON-RPC error with the code -32603. If the
/// error is [`AskError::Declined`](crate::AskError::Declined) or [`AskError::Cancelled`](crate::AskError::Cancelled),
/// the code is -1, which means that the user declined.
///
/// # Keys
///
/// `name`, `title`, `description`, `icons(…)`, `requires(…)`, `optional(…)`, `scopes(…)`, `timeout`, `answer_within`,
/// `replayable`, `register`, `allow(…)`, `meta(…)` and `crate` mean the same as for [tools](crate::mcp_tool).
///
/// # Specification
///
/// All revisions have `prompts/list` and `prompts/get`. `title` and `_meta` are listed since 2025-06-18. Layers of the
/// server wrap only tools, not prompts.
pub use mcp_macros::mcp_prompt;

/// Lists prompts for [`Server::prompts`](crate::Server::prompts): `prompts![review, docs::summary]`.
///
/// If two prompts in one list have the same name, the list does not compile. If they are in different lists,
/// [`Server::build`](crate::Server::build) rejects them.
#[macro_export]
macro_rules! prompts {
    ($($prompts:tt)*) => { $crate::__private::expand_prompts! { ($crate) $($prompts)* } };
}
