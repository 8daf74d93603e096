//! Prompts: messages that a user inserts into a conversation.
//!
//! [`mcp_prompt`](macro@crate::mcp_prompt) turns a function into a prompt. The types here are its output
//! ([`PromptMessage`], [`GetPromptResult`]), prompts that are known only at run time ([`Prompt`]), and the list of a
//! running server ([`PromptList`]).

pub use crate::serve::prompt::{
    GetPromptFuture, GetPromptResult, Prompt, PromptChanges, PromptDefinition, PromptList, PromptMessage, PromptOutput,
};
