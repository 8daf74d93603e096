//! Asking a model: through the client, or through a provider of the server's own.

mod error;
mod message;
mod messages;
mod provider;
#[cfg(feature = "providers")]
pub mod providers;
mod reply;
mod request;
mod tools;

pub use self::{
    error::{BranchLimit, SampleError, SampleValidation},
    message::{Role, SamplingContent, SamplingMessage, ToolResult, ToolUse},
    messages::{IntoBlocks, Messages, MessagesError},
    provider::{ProviderAbilities, ProviderError, SamplingFuture, SamplingOrder, SamplingProvider},
    reply::{
        GuaranteedSchema, GuaranteedTools, ParseError, Sampled, SampledSchema, SampledTools, StopReason, TokenUsage,
        ToolCall,
    },
    request::{ModelPreferences, ResponseSchema, SamplingRequest, SamplingTool, ToolChoice},
    tools::SampleTools,
};
