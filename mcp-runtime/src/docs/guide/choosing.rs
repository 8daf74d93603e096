//! Which one do I need? The ways to declare a tool, and the ways a call can last.
//!
//! # Ways to declare a tool
//!
//! | you have | write | see |
//! | --- | --- | --- |
//! | a function that returns an answer | `#[mcp_tool]` on the function | [`mcp_tool`](macro@crate::mcp_tool) |
//! | a function that asks the user or a model on its way | the same, with a `ctx: &Ctx<Questions>` | [`macro@crate::elicits`], [`mod@crate::sample`] |
//! | effects before and after a conversation, each of which must run once | `#[handoff]` on an `impl` block with three phases | [`handoff`](macro@crate::handoff) |
//! | many operations on one thing, more than a model should read at once | `#[mcp_actions]`: one tool that describes each operation when it is asked | `actions` |
//! | hundreds of tools, also those of other servers | the tools as above, and `Server::searchable`: models search for what they need | `guide::many_tools` |
//! | a Rust service that other programs call too, over REST or JSON-RPC | `#[contract]` on its trait or `impl` block | `contract` |
//! | a service that has an OpenAPI document | `openapi!`, which makes a tool from each operation, without code | `openapi` |
//! | an application that runs tools itself and shows their forms in its own interface | the tools as above, in a `PluginHost` | `plugin` |
//! | tools that are known only when the program runs | [`DynamicTool`](crate::tool::DynamicTool), or the trait [`Tool`](crate::Tool) | [`changing`](super::changing) |
//!
//! If two rows fit, take the upper one: each row brings what the rows above have, and something to learn. A server can
//! have tools of every kind at the same time.
//!
//! # Ways a call can last
//!
//! A call that answers at once needs no choice. A call that asks or takes long is one of these:
//!
//! | the call | is | who decides | what it needs |
//! | --- | --- | --- | --- |
//! | asks, and waits in memory for the answer | *parked*: its future resumes where it stopped | the default | nothing; after a restart it ends with an error that says so |
//! | asks, and must survive a restart or reach another instance | *replayable*: its function runs again from the beginning, and gets the recorded answers | the author: `#[mcp_tool(replayable)]`; `client` of a [`handoff`](macro@crate::handoff) always is | effects in [`Ctx::step`](crate::Ctx::step); a shared [store](crate::store) and keys for other instances |
//! | takes minutes, and the client wants to ask for its state | a *task*: the client gets an id and reads the result later | the author: `#[mcp_tool(task)]`, `#[handoff(task)]`, and the client | a client with the tasks extension; for others the call is a long request |
//! | takes minutes, and every client must be able to wait for it | a *run*: an action that goes on in the background, with the actions `status` and `cancel` for the model | the author: `#[action(run)]` | `actions`; a shared [store](crate::store) so that other instances see it |
//!
//! Answers to questions are the same for all of them: [`surviving`](super::surviving) says for each fault what runs once
//! and what can run again.
