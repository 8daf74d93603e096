//! Prompts: messages that a user inserts into a conversation.

mod definition;
mod methods;
mod output;

pub(crate) use self::methods::arguments;
pub use self::{
    definition::{GetPromptFuture, Prompt, PromptChanges, PromptDefinition, PromptList},
    output::{GetPromptResult, PromptMessage, PromptOutput},
};
