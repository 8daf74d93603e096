//! Completion: arguments that clients send as text, and the values that a client can offer for them.
//!
//! Arguments of prompts and variables of resource templates are text on the wire. [`FromText`] reads them; a function
//! with the attribute `#[complete(…)]` completes them. [`mcp_prompt`](macro@crate::mcp_prompt) and
//! [`mcp_resource`](macro@crate::mcp_resource) show both. The types here are for prompts and templates that are known
//! only at run time, and for functions that return more than values.

pub use crate::serve::complete::{
    CompleteFuture, Completer, Completion, CompletionFunction, CompletionOutput, CompletionRequest, FromText,
    TextArgument, TextArguments,
};
